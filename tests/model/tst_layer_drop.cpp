#include "core/model/transformer/layer_drop.h"

#include "core/model/transformer/encoder.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using model::droppedLayers;
using model::LayerChoice;

namespace {

std::shared_ptr<model::Encoder> encoderOf(double layerDrop)
{
    catalog::TransformerAsrConfig config;
    config.dModel = 8;
    config.nhead = 2;
    config.dFfn = 16;
    config.dropout = 0;
    config.numEncoderLayers = 6;
    config.layerdropProb = layerDrop;
    config.encoderModule = "transformer";
    config.attentionType = "regularMHA";
    torch::manual_seed(1);
    return model::makeEncoder(config);
}

/// Of an encoder that is trained, by parameter.
std::vector<bool> haveGradients(model::Encoder& encoder)
{
    encoder.zero_grad();
    encoder.train(true);
    encoder.forward(torch::ones({ 1, 4, 8 }), {}, {}).square().sum().backward();
    std::vector<bool> have;
    for (const torch::Tensor& parameter : encoder.parameters())
        have.push_back(parameter.grad().defined());
    return have;
}

} // namespace

/// Which layers a training forward leaves out.
class TstLayerDrop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chance_isThatOfEachLayer();
    void seed_decidesAlone();
    void innerChoice_countsWhileItLives();
    void droppedLayer_hasNoGradient();
    void evaluation_leavesNoneOut();
};

void TstLayerDrop::chance_isThatOfEachLayer()
{
    torch::manual_seed(1);
    const std::vector<bool> dropped = droppedLayers(10000, 0.3);
    const auto count = std::count(dropped.begin(), dropped.end(), true);
    QVERIFY2(count > 2850 && count < 3150, qPrintable(QString::number(count)));
    QCOMPARE(droppedLayers(4, 0), std::vector<bool>(4, false));
    QCOMPARE(droppedLayers(4, 1), std::vector<bool>(4, true));
}

void TstLayerDrop::seed_decidesAlone()
{
    std::vector<std::vector<bool>> drawn;
    for (const uint64_t seed : { 1U, 1U, 2U }) {
        torch::manual_seed(drawn.size());
        const LayerChoice choice(seed);
        drawn.push_back(droppedLayers(64, 0.5));
        QCOMPARE(droppedLayers(64, 0.5), drawn.back()); // the next part of the batch
    }
    QCOMPARE(drawn[0], drawn[1]);
    QVERIFY(drawn[0] != drawn[2]);
}

void TstLayerDrop::innerChoice_countsWhileItLives()
{
    const LayerChoice outer(1);
    const std::vector<bool> drawn = droppedLayers(64, 0.5);
    {
        const LayerChoice none;
        QCOMPARE(droppedLayers(64, 0.5), std::vector<bool>(64, false));
    }
    QCOMPARE(droppedLayers(64, 0.5), drawn);
}

void TstLayerDrop::droppedLayer_hasNoGradient()
{
    const auto encoder = encoderOf(0.5);
    QVERIFY(model::dropsLayers(*encoder));
    const LayerChoice choice(3);
    const std::vector<bool> have = haveGradients(*encoder);
    const auto with = std::count(have.begin(), have.end(), true);
    QVERIFY(with > 0 && with < std::ssize(have));
    QCOMPARE(haveGradients(*encoder), have);
    const LayerChoice none;
    QCOMPARE(haveGradients(*encoder), std::vector<bool>(have.size(), true));
}

void TstLayerDrop::evaluation_leavesNoneOut()
{
    const auto encoder = encoderOf(0.5);
    const auto whole = encoderOf(0);
    QVERIFY(!model::dropsLayers(*whole));
    encoder->train(false);
    const torch::Tensor input = torch::rand({ 1, 4, 8 });
    QVERIFY(torch::equal(encoder->forward(input, {}, {}), whole->forward(input, {}, {})));
}

EARWRIGHT_TEST(TstLayerDrop)
#include "tst_layer_drop.moc"
