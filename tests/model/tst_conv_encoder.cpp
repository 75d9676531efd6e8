#include <QTest>

#include "core/model/conv_encoder.h"
#include "core/model/layer_set.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

using namespace earwright;

class TstConvEncoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void batch_becomesFewerFrames();
    void row_isTheSameBesideLongerOnes_data();
    void row_isTheSameBesideLongerOnes();
    void padding_isSeenWhereAsked();
    void normalization_isOfEveryLayerOrTheBlocks_data();
    void normalization_isOfEveryLayerOrTheBlocks();
    void pointwise_isALayerOfEveryBlock();
    void otherNormalization_isRefused();
};

namespace {

std::shared_ptr<model::Layer> encoder(
    const std::string& arguments, std::vector<recipe::Diagnostic>& diagnostics)
{
    const recipe::Resolved resolved = recipe::resolve(
        "x: !new:earwright.models.ConvEncoder\n    input_size: 6\n    channels: 8\n"
        "    front_channels: 8\n    blocks: 2\n"
            + arguments,
        "t.yaml", {});
    return model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x"));
}

} // namespace

void TstConvEncoder::batch_becomesFewerFrames()
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = encoder("", diagnostics);
    QVERIFY(layer != nullptr);
    QVERIFY(layer->forward(torch::randn({ 3, 21, 6 })).sizes() == at::IntArrayRef({ 3, 6, 8 }));
}

void TstConvEncoder::row_isTheSameBesideLongerOnes_data()
{
    QTest::addColumn<std::string>("argument");
    QTest::newRow("layernorm") << std::string();
    QTest::newRow("batchnorm") << std::string("    normalization: batchnorm\n");
}

/// Padding is loud here, as silence is behind a normalisation. In float64: layernorm makes much of
/// float32's rounding where a frame's channels are nearly equal.
void TstConvEncoder::row_isTheSameBesideLongerOnes()
{
    QFETCH(std::string, argument);
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = encoder(argument, diagnostics);
    QVERIFY(layer != nullptr);
    layer->eval();
    layer->to(torch::kFloat64);
    torch::Tensor rows = torch::randn({ 2, 40, 6 }, torch::kFloat64);
    rows[0].narrow(0, 21, 19).fill_(-4);
    const torch::Tensor alone = layer->forward(rows.narrow(0, 0, 1).narrow(1, 0, 21));
    const torch::Tensor beside = layer->forward(rows, torch::tensor({ 21.0 / 40, 1.0 }));
    QVERIFY(torch::allclose(beside[0].narrow(0, 0, 6), alone[0], 1e-9, 1e-9));
    QVERIFY(!torch::allclose(layer->forward(rows)[0].narrow(0, 0, 6), alone[0], 1e-3, 1e-3));
}

void TstConvEncoder::padding_isSeenWhereAsked()
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = encoder("    mask_padding: False\n", diagnostics);
    QVERIFY(layer != nullptr);
    layer->eval();
    const torch::Tensor rows = torch::randn({ 2, 40, 6 });
    QVERIFY(torch::equal(
        layer->forward(rows, torch::tensor({ 21.0 / 40, 1.0 })), layer->forward(rows)));
}

void TstConvEncoder::normalization_isOfEveryLayerOrTheBlocks_data()
{
    QTest::addColumn<std::string>("argument");
    QTest::addColumn<int>("runningMeans");
    QTest::newRow("default") << std::string() << 0;
    QTest::newRow("layernorm") << std::string("    normalization: layernorm\n") << 0;
    QTest::newRow("batchnorm") << std::string("    normalization: batchnorm\n") << 4;
    QTest::newRow("blocks alone") << std::string(
        "    normalization: batchnorm\n    normalize_ends: False\n")
                                  << 2;
}

void TstConvEncoder::normalization_isOfEveryLayerOrTheBlocks()
{
    QFETCH(std::string, argument);
    QFETCH(int, runningMeans);
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = encoder(argument, diagnostics);
    QVERIFY(layer != nullptr);
    int found = 0;
    for (const auto& buffer : layer->named_buffers())
        found += buffer.key().ends_with("running_mean") ? 1 : 0;
    QCOMPARE(found, runningMeans);
}

void TstConvEncoder::pointwise_isALayerOfEveryBlock()
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto plain = encoder("", diagnostics);
    const auto pointwise = encoder("    pointwise: True\n", diagnostics);
    QVERIFY(plain && pointwise);
    QCOMPARE(pointwise->parameters().size(), plain->parameters().size() + 4);
    QVERIFY(pointwise->forward(torch::randn({ 1, 8, 6 })).sizes() == at::IntArrayRef({ 1, 2, 8 }));
}

void TstConvEncoder::otherNormalization_isRefused()
{
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(encoder("    normalization: groupnorm\n", diagnostics) == nullptr);
    QVERIFY(diagnostics.at(0).message.find("batchnorm") != std::string::npos);
}

EARWRIGHT_TEST(TstConvEncoder)
#include "tst_conv_encoder.moc"
