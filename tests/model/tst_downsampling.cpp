#include <QTest>
#include <torch/utils.h>

#include "core/model/tensor_file.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

using namespace earwright;

namespace {

std::string downsampler(const std::string& name, const std::string& arguments)
{
    return "x: !new:speechbrain.lobes.downsampling." + name + "\n" + arguments;
}

} // namespace

/// The classes of speechbrain.lobes.downsampling, held to what upstream makes of the same input:
/// cases/model/downsampling/make.py.
class TstDownsampling final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layer_givesWhatUpstreamDoes_data();
    void layer_givesWhatUpstreamDoes();
    void arguments_areHeldTogether_data();
    void arguments_areHeldTogether();
};

void TstDownsampling::layer_givesWhatUpstreamDoes_data()
{
    QTest::addColumn<std::string>("recipe");
    const auto row = [](const char* name, const char* layer, const std::string& arguments) {
        QTest::newRow(name) << downsampler(layer, arguments);
    };
    const auto factor
        = [](int number) { return "    downsampling_factor: " + std::to_string(number) + "\n"; };
    const std::string rate = "    initial_sampling_rate: 16000\n";
    for (const int number : { 1, 2, 3 })
        row(("signal by " + std::to_string(number)).c_str(), "SignalDownsampler",
            factor(number) + rate);
    row("convolution", "Conv1DDownsampler", factor(2) + "    kernel_size: 21\n");
    row("even kernel", "Conv1DDownsampler", factor(3) + "    kernel_size: 4\n");
    row("mean", "PoolingDownsampler", factor(2) + "    kernel_size: 21\n");
    row("padded maximum", "PoolingDownsampler",
        factor(3) + "    kernel_size: 5\n    padding: 2\n    pool_type: max\n");
    row("mean of frames", "PoolingDownsampler", factor(2) + "    kernel_size: 4\n    padding: 1\n");
    row("frames", "ConcatDownsampler", factor(4));
}

void TstDownsampling::layer_givesWhatUpstreamDoes()
{
    QFETCH(std::string, recipe);
    const auto file
        = model::readTensorFile(EARWRIGHT_CASES_DIR "/model/downsampling/upstream.safetensors");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto of = [&](const std::string& name) {
        return file->tensors.at(QTest::currentDataTag() + ("/" + name));
    };
    const auto layer = tests::layerOf(recipe);
    for (const auto& parameter : layer->named_parameters()) {
        const torch::NoGradGuard noGrad;
        parameter.value().copy_(of(parameter.key()));
    }
    const torch::Tensor x = of("in").clone().set_requires_grad(true);
    const torch::Tensor y = layer->forward(x);
    QVERIFY(y.sizes() == of("out").sizes());
    QVERIFY(torch::allclose(y, of("out"), 1e-5, 1e-5));
    y.square().sum().backward();
    QVERIFY(torch::allclose(x.grad(), of("grad in"), 1e-4, 1e-4));
    for (const auto& parameter : layer->named_parameters())
        QVERIFY2(
            torch::allclose(parameter.value().grad(), of("grad " + parameter.key()), 1e-4, 1e-3),
            parameter.key().c_str());
}

void TstDownsampling::arguments_areHeldTogether_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("padding") << downsampler(
        "PoolingDownsampler", "    downsampling_factor: 2\n    kernel_size: 4\n    padding: 3\n")
                             << "at most half of 'kernel_size'";
    QTest::newRow("no sample left") << downsampler(
        "SignalDownsampler", "    downsampling_factor: 9\n    initial_sampling_rate: 8\n")
                                    << "at most 'initial_sampling_rate', which is 8";
}

void TstDownsampling::arguments_areHeldTogether()
{
    QFETCH(std::string, recipe);
    QFETCH(QString, refusal);
    const recipe::Resolved resolved = recipe::resolve(recipe, "t.yaml", {});
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x")));
    QVERIFY2(QString::fromStdString(diagnostics.front().message).contains(refusal),
        diagnostics.front().message.c_str());
}

EARWRIGHT_TEST(TstDownsampling)
#include "tst_downsampling.moc"
