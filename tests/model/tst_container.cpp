#include <QTest>

#include "core/model/container.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

using namespace earwright;

class TstContainer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lengthsCapable_tellsItsLayersTheLengths();
    void namedClasses_becomeLayersForTheShapeBefore();
    void namedClass_ofConvolutionsIsFollowed();
    void sameClassTwice_isTwoLayers();
};

namespace {

const std::string kLayerRows = "    - !new:speechbrain.nnet.RNN.GRU\n"
                               "        input_size: 6\n        hidden_size: 4\n";

std::shared_ptr<model::Layer> container(const std::string& name, const std::string& members)
{
    torch::manual_seed(4);
    return tests::layerOf("x: !new:speechbrain.nnet.containers." + name + "\n" + members);
}

int64_t weightOf(const model::Layer& layer, const std::string& name, int64_t dim)
{
    return layer.named_parameters()[name].size(dim);
}

} // namespace

void TstContainer::lengthsCapable_tellsItsLayersTheLengths()
{
    torch::manual_seed(7);
    const torch::Tensor rows = torch::randn({ 2, 10, 6 });
    const torch::Tensor lengths = torch::tensor({ 1.0F, 0.5F });
    const auto plain = container("Sequential", kLayerRows);
    const auto capable = container("LengthsCapableSequential", kLayerRows);
    QVERIFY(!plain->hidesPadding());
    QVERIFY(capable->hidesPadding());
    const torch::Tensor untold = plain->forward(rows, lengths);
    QVERIFY(torch::equal(untold, plain->forward(rows)));
    QVERIFY(torch::equal(untold, capable->forward(rows)));
    const torch::Tensor told = capable->forward(rows, lengths);
    QVERIFY(torch::allclose(told.slice(1, 0, 5), untold.slice(1, 0, 5), 1e-5, 1e-5));
    QCOMPARE(told[1].slice(0, 5).abs().sum().item<float>(), 0.0F);
}

/// As speechbrain's own recipes write their DNNs.
void TstContainer::namedClasses_becomeLayersForTheShapeBefore()
{
    const auto layer = container("Sequential",
        "    input_shape: [null, null, 16]\n"
        "    linear1: !name:speechbrain.nnet.linear.Linear\n        n_neurons: 12\n"
        "    bn1: !name:speechbrain.nnet.normalization.BatchNorm1d\n"
        "    activation: !new:torch.nn.LeakyReLU\n"
        "    rnn: !name:speechbrain.nnet.RNN.LSTM\n        hidden_size: 3\n"
        "        bidirectional: True\n"
        "    linear2: !name:speechbrain.nnet.linear.Linear\n        n_neurons: 5\n");
    QCOMPARE(weightOf(*layer, "linear1.w.weight", 1), 16);
    QCOMPARE(weightOf(*layer, "bn1.norm.weight", 0), 12);
    QCOMPARE(weightOf(*layer, "rnn.rnn.weight_ih_l0", 1), 12);
    QCOMPARE(weightOf(*layer, "linear2.w.weight", 1), 6);
    QVERIFY(layer->forward(torch::randn({ 2, 7, 16 })).sizes() == at::IntArrayRef({ 2, 7, 5 }));
}

void TstContainer::namedClass_ofConvolutionsIsFollowed()
{
    const auto layer = container("Sequential",
        "    input_shape: [8, 10, 16]\n"
        "    conv: !name:speechbrain.nnet.CNN.Conv2d\n        out_channels: 4\n"
        "        kernel_size: [3, 3]\n"
        "    norm: !name:speechbrain.nnet.normalization.LayerNorm\n"
        "    pool: !new:speechbrain.nnet.pooling.Pooling1d\n        pool_type: max\n"
        "        input_dims: 4\n        kernel_size: 2\n        pool_axis: 2\n"
        "    linear: !name:speechbrain.nnet.linear.Linear\n        n_neurons: 5\n"
        "        combine_dims: True\n");
    QCOMPARE(weightOf(*layer, "conv.conv.weight", 1), 1);
    QCOMPARE(weightOf(*layer, "norm.norm.weight", 0), 16);
    QCOMPARE(weightOf(*layer, "linear.w.weight", 1), 32);
    QVERIFY(layer->forward(torch::randn({ 2, 7, 16 })).sizes() == at::IntArrayRef({ 2, 7, 5 }));
}

void TstContainer::sameClassTwice_isTwoLayers()
{
    const auto layer = tests::layerOf(
        "dense: !name:speechbrain.nnet.linear.Linear\n    n_neurons: 6\n"
        "x: !new:speechbrain.nnet.containers.Sequential\n    input_shape: [null, null, 6]\n"
        "    first: !ref <dense>\n    second: !ref <dense>\n");
    const auto weights = layer->named_parameters();
    QVERIFY(!torch::equal(weights["first.w.weight"], weights["second.w.weight"]));
}

EARWRIGHT_TEST(TstContainer)
#include "tst_container.moc"
