#include <QTest>

#include "tests/model/layers.h"

using namespace kymo;

/// Convolution, pooling, and the models that are made of them.
class TstConvolution final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void evenKernel_isTakenWithInChannels();
    void evenKernel_isRefusedWithAnInputShape_data();
    void evenKernel_isRefusedWithAnInputShape();
    void poolingOfFourDimensions_poolsThree_data();
    void poolingOfFourDimensions_poolsThree();
    void crdnnWithoutConvolutions_poolsTime();
};

void TstConvolution::evenKernel_isTakenWithInChannels()
{
    const torch::Tensor input = torch::randn({ 2, 9, 6, 3 });
    const auto flat = tests::layerOf("x: !new:speechbrain.nnet.CNN.Conv1d\n    in_channels: 3\n"
                                     "    out_channels: 3\n    kernel_size: 4\n");
    // Upstream pads as for three.
    QVERIFY(flat->forward(input.select(2, 0)).sizes() == at::IntArrayRef({ 2, 8, 3 }));
    const auto square = tests::layerOf("x: !new:speechbrain.nnet.CNN.Conv2d\n    in_channels: 3\n"
                                       "    out_channels: 5\n    kernel_size: [4, 2]\n");
    QVERIFY(square->forward(input).sizes() == at::IntArrayRef({ 2, 8, 5, 5 }));
}

void TstConvolution::evenKernel_isRefusedWithAnInputShape_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::newRow("Conv1d") << std::string(
        "x: !new:speechbrain.nnet.CNN.Conv1d\n    input_shape: [null, null, 3]\n"
        "    out_channels: 3\n    kernel_size: 4\n");
    QTest::newRow("ConvolutionFrontEnd") << std::string(
        "x: !new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "    input_shape: [8, 10, 16]\n    num_blocks: 2\n    out_channels: [4, 4]\n"
        "    kernel_sizes: [3, 4]\n    strides: [1, 1]\n    residuals: [False, False]\n");
}

void TstConvolution::evenKernel_isRefusedWithAnInputShape()
{
    QFETCH(std::string, recipe);
    const recipe::Resolved resolved = recipe::resolve(recipe, "t.yaml", {});
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!model::makeLayer(*recipe::find(*resolved.root, "x"), diagnostics));
    QVERIFY2(diagnostics.front().message.find("odd") != std::string::npos,
        diagnostics.front().message.c_str());
}

void TstConvolution::poolingOfFourDimensions_poolsThree_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<std::string>("type");
    for (const char* type : { "max", "avg" }) {
        QTest::addRow("%s over time", type) << 1 << std::string(type);
        QTest::addRow("%s over features", type) << 2 << std::string(type);
    }
}

void TstConvolution::poolingOfFourDimensions_poolsThree()
{
    QFETCH(int, axis);
    QFETCH(std::string, type);
    const auto pool = [&](int dims) {
        return tests::layerOf("x: !new:speechbrain.nnet.pooling.Pooling1d\n    pool_type: " + type
            + "\n    kernel_size: 2\n    input_dims: " + std::to_string(dims)
            + "\n    pool_axis: " + std::to_string(axis) + "\n");
    };
    const torch::Tensor input = torch::randn({ 2, 9, 6 });
    QVERIFY(torch::equal(pool(4)->forward(input), pool(3)->forward(input)));
}

void TstConvolution::crdnnWithoutConvolutions_poolsTime()
{
    const auto crdnn = tests::layerOf(
        "x: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    input_size: 16\n    cnn_blocks: 0\n"
        "    time_pooling: True\n    rnn_layers: 1\n    rnn_neurons: 4\n    dnn_blocks: 1\n"
        "    dnn_neurons: 5\n");
    QVERIFY(crdnn->forward(torch::randn({ 2, 9, 16 })).sizes() == at::IntArrayRef({ 2, 4, 5 }));
}

QTEST_GUILESS_MAIN(TstConvolution)
#include "tst_convolution.moc"
