#include <array>
#include <QTest>
#include <torch/utils.h>

#include "core/train/memory/fitting_pass.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"
#include "tests/train/tripping_task.h"

using namespace earwright;
using namespace earwright::train;
using distributed::Group;
using distributed::SyncOptions;
using earwright::tests::Ranks;
using earwright::tests::Trip;
using earwright::tests::TrippingTask;

namespace {

constexpr int kSteps = 5;
constexpr double kPassTolerance = 1e-12;

/// Of libraries that take memory beside LibTorch's allocator, as LibTorch 2.11 words their errors.
constexpr std::array kOfLibraries {
    "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
    "cuFFT error: CUFFT_ALLOC_FAILED",
    "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
    "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
    "cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `cusolverDnCreate(handle)`. ",
    "CUDA error: out of memory\nCompile with `TORCH_USE_CUDA_DSA`",
    "CUDA driver error: out of memory",
    "GET was unable to find an engine to execute this computation",
};

constexpr const char* kOfNccl
    = "NCCL error in: NCCLUtils.cpp:77, unhandled cuda error, NCCL version 2.28.9\n"
      "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\n"
      "Cuda failure 2 'out of memory'";

std::string firstLineOf(const std::string& words)
{
    return words.substr(0, words.find('\n'));
}

data::Batch batchOf(int64_t rows, int64_t seed)
{
    data::Batch batch;
    batch.wavs_BT = torch::arange(rows * 4, torch::kFloat32).add(seed).cos().view({ rows, 4 });
    batch.wavLens_B = torch::ones({ rows }, torch::kFloat32);
    batch.tokens_BL = torch::ones({ rows, 1 }, torch::kInt64);
    batch.tokenLens_B = torch::ones({ rows }, torch::kFloat32);
    batch.wholeSize = rows;
    for (int64_t row = 0; row < rows; ++row) {
        batch.ids.push_back("u" + std::to_string(row));
        batch.texts.emplace_back("A");
        batch.indices.push_back(row);
    }
    batch.tokens = batch.wholeTokens = rows;
    return batch;
}

/// A training on one rank.
struct Rank {
    Rank(Group& group, const Trip& trip, const SyncOptions& options = {}, double dropout = 0,
        bool hasBatchNorm = false)
        : task(trip, dropout, hasBatchNorm)
        , parameters(task.modules().parameters())
        , precision(precision::Type::Fp32, precision::Type::Fp32, torch::kCPU)
        , sync(group, parameters, {}, options)
        , pass({ .task = task,
              .precision = precision,
              .sync = sync,
              .group = group,
              .parameters = parameters,
              .device = torch::kCPU,
              .sampleRateHz = 2,
              .report = [this](const NotFitting& found) {
                  reported.push_back(found.during + " " + std::to_string(found.parts));
              } })
    {
    }

    /// Of two micro-batches, or only the second.
    void step(int64_t rows, int64_t seed, bool forgets = false, bool accumulates = true)
    {
        for (const bool last : { false, true }) {
            if (!last && !accumulates)
                continue;
            if (forgets)
                pass.plan = {};
            pass.run(batchOf(rows, last ? seed + 100 : seed), 0.25, last);
        }
        const torch::NoGradGuard noGrad;
        for (auto& [name, parameter] : parameters)
            parameter.sub_(0.1 * parameter.grad());
        sync.zeroGradients();
    }

    TrippingTask task;
    std::vector<std::pair<std::string, torch::Tensor>> parameters;
    precision::Precision precision;
    distributed::GradientSync sync;
    std::vector<std::string> reported;
    FittingPass pass;
};

torch::Tensor weightsOf(const Rank& rank)
{
    std::vector<torch::Tensor> all;
    for (const auto& [name, parameter] : rank.parameters)
        all.push_back(parameter.detach().flatten());
    return torch::cat(all);
}

} // namespace

class TstFittingPass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void plan_splitsWhatIsAsManyAndAsLong();
    void plan_survivesAsText();
    void anyRankAnywhere_givesTheStepOfTheWholeBatch_data();
    void anyRankAnywhere_givesTheStepOfTheWholeBatch();
    void knownSize_startsInParts();
    void knownSizeInAStaticGraph_givesTheStepOfTheWholeBatch();
    void replay_drawsWhatAStartInPartsDraws();
    void librariesOnce_areGivenWhatTheAllocatorKeeps_data();
    void librariesOnce_areGivenWhatTheAllocatorKeeps();
    void otherError_endsInItsOwnWords_data();
    void otherError_endsInItsOwnWords();
    void sumOverRanks_endsWithWhatToDo();
    void oneUtterance_isNamedWithItsLength_data();
    void oneUtterance_isNamedWithItsLength();
    void tooShort_isNamedWithItsLength();
    void batchNormOverRanks_endsWithWhatToDo();
    void batchNorm_isToldOf();
};

void TstFittingPass::initTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
}

void TstFittingPass::cleanupTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

void TstFittingPass::plan_splitsWhatIsAsManyAndAsLong()
{
    MemoryPlan plan;
    QCOMPARE(plan.parts(64, 1000000), 1);
    plan.tooMuch(8, 1000);
    QCOMPARE(plan.parts(8, 1000), 2);
    QCOMPARE(plan.parts(8, 999), 1); // shorter
    QCOMPARE(plan.parts(7, 5000), 1); // fewer
    QCOMPARE(plan.parts(15, 1000), 4); // in two, one part would have 8
    plan.tooMuch(2, 4000);
    QCOMPARE(plan.parts(8, 4000), 8);
    QCOMPARE(plan.parts(5, 4000), 5); // at most one a row
    QCOMPARE(plan.parts(1, 4000), 1);
    QCOMPARE(plan.parts(8, 1000), 2);
}

void TstFittingPass::plan_survivesAsText()
{
    MemoryPlan plan;
    QCOMPARE(plan.text(), std::string("[]"));
    plan.tooMuch(8, 1000);
    plan.tooMuch(9, 2000); // known already
    plan.tooMuch(4, 3000);
    plan.tooMuch(4, 900); // says more than both
    QCOMPARE(plan.text(), std::string("[[4,900]]"));
    QCOMPARE(MemoryPlan::from(plan.text())->parts(8, 900), 4);
    for (const char* damaged : { "[[4]]", "[[4,0]]", "[[4,-900]]", "[4,900]", "[[4,\"a\"]]", "{}" })
        QVERIFY2(!MemoryPlan::from(damaged), damaged);
}

void TstFittingPass::anyRankAnywhere_givesTheStepOfTheWholeBatch_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("failing"); // rank; -1 = all
    QTest::addColumn<std::string>("during");
    QTest::addColumn<int>("fits");
    QTest::addColumn<bool>("findUnused");
    QTest::addColumn<bool>("staticGraph");
    QTest::addColumn<std::string>("words"); // "" = LibTorch's allocator's
    for (const std::string during : { "forward", "backward" }) {
        for (const int fits : { 3, 1 }) {
            const auto row = [&](const char* what, int ranks, int failing, bool find, bool fixed) {
                QTest::addRow("%s, %s, %d fit", what, during.c_str(), fits)
                    << ranks << failing << during << fits << find << fixed << std::string();
            };
            row("alone", 1, 0, false, false);
            row("one of two", 2, 1, false, false);
            row("both", 2, -1, false, false);
            row("one of three", 3, 0, false, false);
            row("find_unused_parameters", 2, 0, true, false);
            row("static_graph", 2, 0, false, true);
        }
        for (const char* words : kOfLibraries)
            QTest::addRow("%s, %s", during.c_str(), firstLineOf(words).c_str())
                << 2 << 1 << during << 3 << false << false << std::string(words);
    }
}

void TstFittingPass::anyRankAnywhere_givesTheStepOfTheWholeBatch()
{
    QFETCH(int, ranks);
    QFETCH(int, failing);
    QFETCH(std::string, during);
    QFETCH(int, fits);
    QFETCH(bool, findUnused);
    QFETCH(bool, staticGraph);
    QFETCH(std::string, words);
    const SyncOptions options {
        .findUnusedParameters = findUnused, .staticGraph = staticGraph, .bucketCapMb = 0.00015
    }; // many buckets: some are reduced when the backward ends
    const auto trained = [&](int64_t limit, std::vector<std::string>& reported) {
        std::vector<torch::Tensor> weights(static_cast<size_t>(ranks));
        const auto thrown = Ranks(ranks).run([&](Group& group) {
            const bool fails = failing < 0 || group.rank() == failing;
            Rank rank(group, { during, fails ? limit : 1000, words }, options);
            for (int step = 0; step < kSteps; ++step)
                rank.step(4 + step, 10 * step + group.rank(), true, !staticGraph);
            weights[static_cast<size_t>(group.rank())] = weightsOf(rank);
            if (fails && group.rank() == std::max(failing, 0))
                reported = rank.reported;
        });
        for (const std::string& text : thrown)
            TORCH_CHECK(text.empty(), text);
        return weights;
    };
    std::vector<std::string> none;
    std::vector<std::string> some;
    const auto expected = trained(1000, none);
    const auto found = trained(fits, some);
    QVERIFY(none.empty());
    QVERIFY2(some.size() >= kSteps && some.front().starts_with(during),
        "memory did not run out every time");
    for (const torch::Tensor& weights : found) {
        const double apart = ((weights - expected[0]).norm() / expected[0].norm()).item<double>();
        QVERIFY2(apart <= kPassTolerance, qPrintable(QString::number(apart)));
    }
}

void TstFittingPass::knownSize_startsInParts()
{
    const auto thrown = Ranks(1).run([&](Group& group) {
        Rank rank(group, { "backward", 3 });
        for (int step = 0; step < kSteps; ++step)
            rank.step(8, step);
        TORCH_CHECK(rank.reported == (std::vector<std::string> { "backward 2", "backward 4" }));
        rank.step(9, 0); // in four parts one has three rows
        TORCH_CHECK(rank.reported.size() == 2);
    });
    QCOMPARE(thrown, std::vector<std::string>(1));
}

void TstFittingPass::knownSizeInAStaticGraph_givesTheStepOfTheWholeBatch()
{
    const auto trained = [](bool isKnown) {
        std::vector<torch::Tensor> weights(2);
        const auto thrown = Ranks(2).run([&](Group& group) {
            Rank rank(group, {}, { .staticGraph = true, .bucketCapMb = 0.00015 });
            if (isKnown && group.isMain())
                rank.pass.plan.tooMuch(3, 4);
            for (int step = 0; step < kSteps; ++step)
                rank.step(4 + step, 10 * step + group.rank(), false, false);
            weights[static_cast<size_t>(group.rank())] = weightsOf(rank);
        });
        for (const std::string& text : thrown)
            TORCH_CHECK(text.empty(), text);
        return weights;
    };
    const auto expected = trained(false);
    for (const torch::Tensor& weights : trained(true)) {
        const double apart = ((weights - expected[0]).norm() / expected[0].norm()).item<double>();
        QVERIFY2(apart <= kPassTolerance, qPrintable(QString::number(apart)));
    }
}

void TstFittingPass::replay_drawsWhatAStartInPartsDraws()
{
    std::vector<torch::Tensor> weights;
    std::vector<torch::Tensor> after;
    const auto thrown = Ranks(1).run([&](Group& group) {
        for (const bool isKnown : { false, true }) {
            Rank rank(group, { "forward", 2 }, {}, 0.3);
            if (isKnown)
                rank.pass.plan.tooMuch(3, 4);
            torch::manual_seed(3);
            rank.step(8, 0);
            TORCH_CHECK(rank.reported.empty() == isKnown);
            weights.push_back(weightsOf(rank));
            after.push_back(torch::rand({ 8 }));
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(1));
    QVERIFY(torch::equal(weights[0], weights[1]));
    QVERIFY(torch::equal(after[0], after[1]));
}

void TstFittingPass::librariesOnce_areGivenWhatTheAllocatorKeeps_data()
{
    QTest::addColumn<std::string>("during");
    QTest::addColumn<bool>("staticGraph");
    for (const std::string during : { "forward", "backward" }) {
        for (const bool fixed : { false, true })
            QTest::addRow("%s%s", during.c_str(), fixed ? ", static_graph" : "") << during << fixed;
    }
}

void TstFittingPass::librariesOnce_areGivenWhatTheAllocatorKeeps()
{
    QFETCH(std::string, during);
    QFETCH(bool, staticGraph);
    const auto trained = [&](int64_t times, std::string& plan) {
        torch::Tensor weights;
        const auto thrown = Ranks(1).run([&](Group& group) {
            torch::manual_seed(3);
            Rank rank(group, { during, 0, kOfLibraries.front(), times },
                { .staticGraph = staticGraph }, 0.3);
            for (const int64_t rows : { 1, 4 })
                rank.step(rows, rows, false, !staticGraph);
            TORCH_CHECK(rank.reported.empty());
            plan = rank.pass.plan.text();
            weights = weightsOf(rank);
        });
        TORCH_CHECK(thrown.front().empty(), thrown.front());
        return weights;
    };
    std::string planBefore;
    std::string planAfter;
    const torch::Tensor expected = trained(0, planBefore);
    const torch::Tensor found = trained(1, planAfter);
    const double apart = ((found - expected).norm() / expected.norm()).item<double>();
    QVERIFY2(apart <= kPassTolerance, qPrintable(QString::number(apart)));
    QCOMPARE(planAfter, planBefore); // what was too much for a moment is not remembered
}

void TstFittingPass::otherError_endsInItsOwnWords_data()
{
    QTest::addColumn<std::string>("during");
    QTest::addColumn<std::string>("words");
    for (const std::string during : { "forward", "backward" }) {
        for (const char* words : { "CUDA error: device-side assert triggered",
                 "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`",
                 "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED", "cuFFT error: CUFFT_EXEC_FAILED",
                 "NCCL error in: NCCLUtils.cpp:77, remote process exited or there was a network "
                 "error" })
            QTest::addRow("%s, %s", during.c_str(), words) << during << std::string(words);
    }
}

void TstFittingPass::otherError_endsInItsOwnWords()
{
    QFETCH(std::string, during);
    QFETCH(std::string, words);
    const auto thrown = Ranks(1).run([&](Group& group) {
        Rank rank(group, { during, 1, words });
        try {
            rank.step(4, 0);
        } catch (const c10::Error& error) {
            TORCH_CHECK(rank.reported.empty(), "it was split");
            throw;
        }
    });
    QVERIFY2(thrown[0].starts_with(words), thrown[0].c_str());
    QVERIFY2(thrown[0].find("memory") == std::string::npos, thrown[0].c_str());
}

void TstFittingPass::sumOverRanks_endsWithWhatToDo()
{
    for (const std::string during : { "forward", "backward" }) {
        const auto thrown = Ranks(1).run([&](Group& group) {
            Rank rank(group, { during, 3, kOfNccl });
            rank.pass.run(batchOf(8, 0), 1, true);
        });
        for (const std::string& part :
            { std::string("no memory for a sum over the ranks (") + during,
                std::string("Cuda failure 2 'out of memory'"), std::string("bucket_cap_mb") })
            QVERIFY2(thrown[0].find(part) != std::string::npos, thrown[0].c_str());
    }
}

void TstFittingPass::oneUtterance_isNamedWithItsLength_data()
{
    QTest::addColumn<std::string>("words");
    QTest::addRow("LibTorch's allocator") << std::string();
    for (const char* words : kOfLibraries)
        QTest::addRow("%s", firstLineOf(words).c_str()) << std::string(words);
}

void TstFittingPass::oneUtterance_isNamedWithItsLength()
{
    QFETCH(std::string, words);
    const std::string cause = words.empty() ? "allocate 7 MiB" : firstLineOf(words) + "): take the";
    const auto thrown = Ranks(1).run([&](Group& group) {
        Rank rank(group, { "forward", 0, words });
        data::Batch batch = batchOf(2, 0);
        batch.wavLens_B[0] = 0.5;
        rank.pass.run(batch, 1, true);
    });
    for (const char* part :
        { "utterance 'u0' of 1.0 s, padded to 2.0 s", "by itself", cause.c_str() })
        QVERIFY2(thrown[0].find(part) != std::string::npos, thrown[0].c_str());
}

void TstFittingPass::tooShort_isNamedWithItsLength()
{
    const auto thrown = Ranks(1).run([&](Group& group) {
        Rank rank(group, { "padding", 0 });
        data::Batch batch = batchOf(2, 0);
        batch.wavLens_B[0] = 0.5;
        rank.pass.run(batch, 1, true);
    });
    for (const char* part : { "utterance 'u1' of 2.0 s is too short for this model",
             "should be less than the corresponding input", "avoid_if_shorter_than" })
        QVERIFY2(thrown[0].find(part) != std::string::npos, thrown[0].c_str());
}

void TstFittingPass::batchNormOverRanks_endsWithWhatToDo()
{
    const auto thrown = Ranks(2).run([&](Group& group) {
        Rank rank(group, { "forward", 3 }, {}, 0, true);
        rank.pass.run(batchOf(8, 0), 1, true);
    });
    for (const std::string& text : thrown) {
        for (const char* part : { "8 utterances do not fit into memory",
                 "BatchNorm takes its statistics from all ranks", "sync_batchnorm: False" })
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
}

void TstFittingPass::batchNorm_isToldOf()
{
    const auto thrown = Ranks(1).run([&](Group& group) {
        for (const bool hasBatchNorm : { false, true })
            TORCH_CHECK(Rank(group, {}, {}, 0, hasBatchNorm).pass.hasBatchNorm() == hasBatchNorm);
    });
    QCOMPARE(thrown, std::vector<std::string>(1));
}

EARWRIGHT_TEST(TstFittingPass)
#include "tst_fitting_pass.moc"
