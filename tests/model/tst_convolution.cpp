#include <QTest>
#include <torch/utils.h>

#include "tests/model/layers.h"
#include "tests/registry.h"

using namespace earwright;

/// Convolution, pooling, activation, and the models that are made of them.
class TstConvolution final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void evenKernel_isTakenWithInChannels();
    void evenKernel_isRefusedWithAnInputShape_data();
    void evenKernel_isRefusedWithAnInputShape();
    void poolingOfFourDimensions_poolsThree_data();
    void poolingOfFourDimensions_poolsThree();
    void crdnnWithoutConvolutions_poolsTime();
    void pooling2d_doesNotReadItsDilation();
    void swish_scalesWhatItTakes();
    void givenClass_keepsItsArguments_data();
    void givenClass_keepsItsArguments();
    void residualBranch_leavesTheRestToTheClass();
    void givenClass_isRefusedWithWhatItIsGiven_data();
    void givenClass_isRefusedWithWhatItIsGiven();
    void normalInit_isOfConv1dAlone();
};

namespace {

std::string crdnn(const std::string& rnnClass)
{
    return "x: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    input_size: 16\n    cnn_blocks: 0\n"
           "    rnn_layers: 1\n    rnn_neurons: 4\n    dnn_blocks: 0\n    rnn_class: !name:"
           "speechbrain.nnet.RNN."
        + rnnClass;
}

/// What is left of a block: a convolution and a norm.
std::string frontEnd(const std::string& arguments)
{
    return "x: !new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
           "    input_shape: [8, 10, 16]\n    num_blocks: 1\n    num_layers_per_block: 1\n"
           "    out_channels: [4]\n    kernel_sizes: [3]\n    strides: [1]\n    dropout: 0.0\n"
           "    activation: !name:torch.nn.Identity\n"
        + arguments;
}

std::string sequence(const std::string& convolution, const std::string& norm)
{
    return "x: !new:speechbrain.nnet.containers.Sequential\n"
           "    conv: !new:speechbrain.nnet.CNN."
        + convolution + "\n        out_channels: 4\n        kernel_size: 3\n"
        + "    norm: !new:speechbrain.nnet.normalization." + norm;
}

/// In evaluation, of the same weights whatever it is called.
torch::Tensor outputOf(const std::string& recipe)
{
    torch::manual_seed(3);
    const auto layer = tests::layerOf(recipe);
    layer->train(false);
    const torch::NoGradGuard noGrad;
    torch::manual_seed(5);
    return layer->forward(torch::randn({ 2, 9, 16 }));
}

} // namespace

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
    QVERIFY(!model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x")));
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

/// As upstream, which does not hand it on.
void TstConvolution::pooling2d_doesNotReadItsDilation()
{
    const std::string text = "x: !new:speechbrain.nnet.pooling.Pooling2d\n    pool_type: max\n"
                             "    kernel_size: [2, 3]\n";
    QVERIFY(torch::equal(outputOf(text + "    dilation: 2\n"), outputOf(text)));
}

/// Upstream gives silu(beta * x), and not what its documentation says.
void TstConvolution::swish_scalesWhatItTakes()
{
    const auto swish
        = tests::layerOf("x: !new:speechbrain.nnet.activations.Swish\n    beta: 1.5\n");
    const torch::Tensor x = torch::linspace(-3, 3, 13);
    const torch::Tensor expected = 1.5 * x * torch::sigmoid(1.5 * x);
    QVERIFY(torch::allclose(swish->forward(x), expected, 1e-5, 1e-6));
}

/// `!name:` with arguments is functools.partial upstream; what the outer class gives comes first.
void TstConvolution::givenClass_keepsItsArguments_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::string>("plain");
    const std::string rnn = "    hidden_size: 4\n    bidirectional: True\n    re_init: False\n";
    const auto row = [](const char* name, const std::string& recipe, const std::string& plain) {
        QTest::newRow(name) << recipe << plain;
    };
    row("LiGRU",
        crdnn("LiGRU\n        nonlinearity: tanh\n        normalization: layernorm\n"
              "        hidden_size: 9\n"),
        "x: !new:speechbrain.nnet.RNN.LiGRU\n    input_shape: [null, null, 16]\n"
        "    nonlinearity: tanh\n    normalization: layernorm\n"
            + rnn);
    for (const std::string name : { "LSTM", "GRU", "RNN" }) {
        const std::string own = name == "RNN" ? "nonlinearity: tanh\n" : "bias: False\n";
        row(name.c_str(), crdnn(name + "\n        " + own),
            "x: !new:speechbrain.nnet.RNN." + name + "\n    input_size: 16\n    " + own + rnn);
    }
    const std::string noResidual = "    residuals: [False]\n";
    const std::string affine = "        eps: 0.5\n        elementwise_affine: False\n";
    row("LayerNorm",
        frontEnd(
            noResidual + "    norm: !name:speechbrain.nnet.normalization.LayerNorm\n" + affine),
        sequence("Conv2d\n        input_shape: [null, null, 16]",
            "LayerNorm\n        input_size: [16, 4]\n" + affine));
    const std::string combined = "        eps: 0.5\n        combine_batch_time: True\n";
    row("BatchNorm1d",
        frontEnd(
            noResidual + "    norm: !name:speechbrain.nnet.normalization.BatchNorm1d\n" + combined),
        sequence("Conv2d\n        input_shape: [null, null, 16]",
            "BatchNorm1d\n        input_size: 4\n" + combined));
    const std::string swapped = "        padding_mode: constant\n        swap: True\n";
    row("Conv2d",
        frontEnd(noResidual
            + "    padding: causal\n    conv_module: !name:"
              "speechbrain.nnet.CNN.Conv2d\n"
            + swapped),
        sequence("Conv2d\n        input_shape: [null, null, 16]\n        padding: causal\n"
                + swapped.substr(0, swapped.size() - 1),
            "LayerNorm\n        input_size: [14, 4]\n"));
    row("Conv1d",
        frontEnd(noResidual
            + "    conv_module: !name:speechbrain.nnet.CNN.Conv1d\n"
              "        groups: 2\n"),
        sequence("Conv1d\n        in_channels: 16\n        groups: 2",
            "LayerNorm\n        input_size: [4]\n"));
}

void TstConvolution::givenClass_keepsItsArguments()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, plain);
    QVERIFY(torch::equal(outputOf(recipe), outputOf(plain)));
}

/// The front end's conv_bias is of its blocks' own convolutions.
void TstConvolution::residualBranch_leavesTheRestToTheClass()
{
    for (const bool hasBias : { true, false }) {
        const std::string given = hasBias ? "True" : "False";
        const auto layer = tests::layerOf(frontEnd(
            "    residuals: [True]\n    conv_bias: " + std::string(hasBias ? "False" : "True")
            + "\n    conv_module: !name:speechbrain.nnet.CNN.Conv2d\n        bias: " + given
            + "\n"));
        const auto parameters = layer->named_parameters();
        QCOMPARE(parameters.contains("convblock_0.convs.conv_0.conv.bias"), !hasBias);
        QCOMPARE(parameters.contains("convblock_0.reduce_conv.conv.conv.bias"), hasBias);
    }
}

void TstConvolution::givenClass_isRefusedWithWhatItIsGiven_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<QString>("told");
    const std::string norm = "    norm: !name:speechbrain.nnet.normalization.";
    const std::string conv = "    conv_module: !name:speechbrain.nnet.CNN.";
    const auto row = [](const char* name, const std::string& recipe, const char* told) {
        QTest::newRow(name) << recipe << QString(told);
    };
    row("unknown argument", crdnn("LSTM\n        biass: False\n"), "no argument 'biass'");
    row("by position", crdnn("LSTM [4]\n"), "are given by name");
    row("other inputs", crdnn("LSTM\n        input_size: 8\n"),
        "input_size of rnn_class is 8, but 16 features reach it");
    row("channels", frontEnd(conv + "Conv2d\n        in_channels: 4\n"), "without 'in_channels'");
    row("other channels", frontEnd(norm + "BatchNorm2d\n        input_size: 8\n"),
        "input_size of norm is 8, but the convolution before it gives 4");
    row("four dimensions", frontEnd(norm + "BatchNorm1d\n"), "needs combine_batch_time: True");
    row("three dimensions", frontEnd(conv + "Conv1d\n" + norm + "BatchNorm2d\n"),
        "BatchNorm2d needs a Conv2d");
}

void TstConvolution::givenClass_isRefusedWithWhatItIsGiven()
{
    QFETCH(std::string, recipe);
    QFETCH(QString, told);
    const recipe::Resolved resolved = recipe::resolve(recipe, "t.yaml", {});
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x")));
    QVERIFY2(QString::fromStdString(diagnostics.front().message).contains(told),
        diagnostics.front().message.c_str());
}

/// Upstream's Conv2d has no such initialisation and keeps PyTorch's own.
void TstConvolution::normalInit_isOfConv1dAlone()
{
    const auto largest = [](const std::string& arguments) {
        const auto layer = tests::layerOf(frontEnd("    conv_init: normal\n" + arguments));
        for (const auto& parameter : layer->named_parameters())
            if (parameter.key().ends_with("conv.weight"))
                return parameter.value().abs().max().item<double>();
        return -1.0;
    };
    QVERIFY(largest("") > 1e-3);
    const double ofConv1d = largest("    conv_module: !name:speechbrain.nnet.CNN.Conv1d\n");
    QVERIFY2(ofConv1d >= 0 && ofConv1d < 1e-4, std::to_string(ofConv1d).c_str());
}

EARWRIGHT_TEST(TstConvolution)
#include "tst_convolution.moc"
