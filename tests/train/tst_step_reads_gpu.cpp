#include "core/cuda/cuda_library.h"
#include "core/precision/precision.h"
#include "core/recipe/parse.h"
#include "core/train/optim/optimizer.h"
#include "core/train/step_metrics.h"
#include "tests/registry.h"
#include "tests/train/offered_optimizers.h"
#include "tests/train/paraformer_tasks.h"

#include <optional>
#include <QTest>
#include <torch/cuda.h>

using namespace earwright;

namespace {

/// While it lives, CUDA's synchronising calls throw.
class NoSynchronising final {
public:
    NoSynchronising() { cuda::cudaPart()->refuseSynchronising(true); }
    ~NoSynchronising() { cuda::cudaPart()->refuseSynchronising(false); }
    NoSynchronising(const NoSynchronising&) = delete;
    NoSynchronising& operator=(const NoSynchronising&) = delete;
};

constexpr const char* kSpecAug = "specaug: !new:funasr.models.specaug.specaug.SpecAugLFR\n"
                                 "    apply_time_warp: False\n"
                                 "    lfr_rate: 2\n"
                                 "    freq_mask_width_range: [0, 6]\n"
                                 "    num_freq_mask: 1\n"
                                 "    time_mask_width_range: [0, 6]\n"
                                 "    num_time_mask: 1\n";

} // namespace

/// What of a step on a GPU must not wait for it; ATen's own CTC loss copies lengths there and does.
class TstStepReadsGpu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void read_isNoticed();
    void optimizerStep_doesNotWaitForTheDevice_data();
    void optimizerStep_doesNotWaitForTheDevice();
    void passOfAParaformer_doesNotWaitForTheDevice_data();
    void passOfAParaformer_doesNotWaitForTheDevice();
};

void TstStepReadsGpu::initTestCase()
{
    QVERIFY2(cuda::cudaPartFailure().empty(), cuda::cudaPartFailure().c_str());
    if (!cuda::cudaPart() || !torch::cuda::is_available())
        QSKIP("no GPU is here");
}

void TstStepReadsGpu::read_isNoticed()
{
    const torch::Tensor number = torch::ones({}, torch::kCUDA);
    const NoSynchronising guard;
    QVERIFY_THROWS_EXCEPTION(c10::Error, number.item<float>());
}

void TstStepReadsGpu::optimizerStep_doesNotWaitForTheDevice_data()
{
    QTest::addColumn<std::string>("optimizer");
    QTest::addColumn<bool>("scales");
    for (const std::string& optimizer : tests::offeredOptimizers()) {
        QTest::addRow("%s", optimizer.c_str()) << optimizer << false;
        QTest::addRow("%s, scaling", optimizer.c_str()) << optimizer << true;
    }
}

void TstStepReadsGpu::optimizerStep_doesNotWaitForTheDevice()
{
    QFETCH(std::string, optimizer);
    QFETCH(bool, scales);
    const c10::Device gpu(c10::kCUDA, 0);
    std::vector<torch::Tensor> parameters { torch::randn({ 64, 32 }, gpu),
        torch::randn({ 64 }, gpu) };
    for (torch::Tensor& parameter : parameters)
        parameter.set_requires_grad(true);
    const auto recipe = recipe::parse("opt_class: !name:" + optimizer + "\n", "recipe.yaml");
    std::vector<recipe::Diagnostic> diagnostics;
    const auto made
        = train::makeOptimizer(*recipe::find(*recipe.root, "opt_class"), parameters, diagnostics);
    QVERIFY(made);
    precision::Precision precision(precision::Type::Fp32, precision::Type::Fp32, gpu, scales);
    train::StepMetrics readings(gpu);
    readings.start();
    for (int64_t step = 1; step <= 3; ++step) {
        for (torch::Tensor& parameter : parameters)
            parameter.mutable_grad() = torch::randn_like(parameter);
        const NoSynchronising guard;
        const precision::StepResult result = precision.step(*made, 5, true);
        train::Reading reading;
        reading.step = step;
        readings.push(std::move(reading),
            { result.gradNorm, result.gradNorm, result.foundInf,
                scales ? result.lossScale : result.foundInf });
    }
    QVERIFY(readings.pop()->gradNorm > 0);
}

void TstStepReadsGpu::passOfAParaformer_doesNotWaitForTheDevice_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::newRow("Paraformer") << std::string("paraformer");
    QTest::newRow("SeACo") << std::string("seaco_paraformer");
}

void TstStepReadsGpu::passOfAParaformer_doesNotWaitForTheDevice()
{
    QFETCH(std::string, recipe);
    const std::string text = train::with(
        train::recipeText(recipe), "encoder: !new", kSpecAug + std::string("encoder: !new"));
    const auto task = train::taskOf(text, "reduction", c10::Device(c10::kCUDA, 0));
    const data::Batch batch = train::batchOf();
    for (int step = 0; step < 3; ++step) {
        std::optional<NoSynchronising> guard;
        if (step > 0) // the first one moves what is kept
            guard.emplace();
        task->run(batch, train::Stage::Train).loss.backward();
    }
}

EARWRIGHT_TEST(TstStepReadsGpu)
#include "tst_step_reads_gpu.moc"
