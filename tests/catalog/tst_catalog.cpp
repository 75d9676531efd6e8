#include "core/catalog/catalog.h"
#include "core/catalog/configs.h"
#include "core/catalog/read.h"
#include "core/recipe/parse.h"

#include <QTest>
#include <set>

using namespace kymo;
using namespace kymo::catalog;

namespace {

/// The value of key `x` of a recipe.
recipe::NodePtr parseObject(const std::string& yaml)
{
    const recipe::Parsed parsed = recipe::parse("x: " + yaml, "t.yaml");
    return parsed.root ? recipe::find(*parsed.root, "x") : nullptr;
}

template <class Config>
Config read(const std::string& yaml, std::vector<recipe::Diagnostic>& found)
{
    const recipe::NodePtr node = parseObject(yaml);
    return readConfig<Config>(*node, found);
}

template <class Config>
std::string firstFinding(const std::string& yaml)
{
    std::vector<recipe::Diagnostic> found;
    read<Config>(yaml, found);
    return found.empty() ? "" : found.front().rule + ": " + found.front().message;
}

QString signature(const ClassInfo& info)
{
    QStringList parts;
    for (const Field& field : info.fields)
        parts << QString::fromStdString(
            field.facts.required ? field.name : field.name + "=" + field.defaultText);
    return parts.join(", ");
}

} // namespace

class TstCatalog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signature_isUpstreams_data();
    void signature_isUpstreams();
    void everyClass_hasUniqueFieldsAndAnOwnCheck();
    void aliases_findTheSameEntry();
    void unknownName_findsNothing();
    void parameters_areOwnedByWhatTrains();

    void namedArguments_fillTheirMembers();
    void positionalArguments_followTheSignature();
    void emptyObject_keepsDefaults();
    void tuples_areLists();
    void explicitNull_isNotTheSameAsAbsent();

    void wrongValues_areReported_data();
    void wrongValues_areReported();
    void misspeltArgument_hasAFix();
    void yes_isFixedToTrue();
    void wrongValue_keepsTheDefault();
    void openReference_isNotReportedTwice();
    void nameTag_mayLeaveArgumentsOut();
};

void TstCatalog::signature_isUpstreams_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* expected) {
        QTest::newRow(name) << QString(name) << QString(expected);
    };
    row("speechbrain.lobes.features.Fbank",
        "deltas=False, context=False, requires_grad=False, sample_rate=16000, f_min=0.0, "
        "f_max=null, "
        "n_fft=400, n_mels=40, filter_shape=triangular, param_change_factor=1.0, "
        "param_rand_factor=0.0, left_frames=5, right_frames=5, win_length=25.0, hop_length=10.0");
    row("speechbrain.processing.features.InputNormalization",
        "mean_norm=True, std_norm=True, norm_type=global, avg_factor=null, length_dim=1, "
        "update_until_epoch=2, avoid_padding_norm=False, epsilon=1e-10, device=cpu");
    row("speechbrain.lobes.models.CRDNN.CRDNN",
        "input_size=null, input_shape=null, activation=, dropout=0.15, cnn_blocks=2, "
        "cnn_channels=[128, 256], cnn_kernelsize=[3, 3], time_pooling=False, time_pooling_size=2, "
        "freq_pooling_size=2, rnn_class=, inter_layer_pooling_size=[2, 2], using_2d_pooling=False, "
        "rnn_layers=4, rnn_neurons=512, rnn_bidirectional=True, rnn_re_init=False, dnn_blocks=2, "
        "dnn_neurons=512, projection_dim=-1, use_rnnp=False");
    row("speechbrain.nnet.RNN.GRU",
        "hidden_size, input_shape=null, input_size=null, num_layers=1, bias=True, dropout=0.0, "
        "re_init=True, bidirectional=False");
    row("speechbrain.nnet.RNN.LiGRU",
        "hidden_size, input_shape, nonlinearity=relu, normalization=batchnorm, num_layers=1, "
        "bias=True, dropout=0.0, re_init=True, bidirectional=False");
    row("speechbrain.lobes.models.convolution.ConvolutionFrontEnd",
        "input_shape, num_blocks=3, num_layers_per_block=5, out_channels=[128, 256, 512], "
        "kernel_sizes=[3, 3, 3], strides=[1, 2, 2], dilations=[1, 1, 1], residuals=[True, True, "
        "True], "
        "conv_module=, activation=, norm=, dropout=0.1, conv_bias=True, padding=same, "
        "conv_init=null");
    row("speechbrain.lobes.models.transformer.TransformerASR.TransformerASR",
        "tgt_vocab, input_size, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, "
        "d_ffn=2048, dropout=0.1, activation=, positional_encoding=fixed_abs_sine, "
        "normalize_before=False, kernel_size=31, bias=True, encoder_module=transformer, "
        "conformer_activation=, branchformer_activation=, attention_type=regularMHA, "
        "max_length=2500, "
        "causal=null, csgu_linear_units=3072, gate_activation=, use_linear_after_conv=False, "
        "output_hidden_states=False, layerdrop_prob=0.0");
    row("speechbrain.nnet.linear.Linear",
        "n_neurons, input_shape=null, input_size=null, bias=True, max_norm=null, "
        "combine_dims=False");
    row("speechbrain.nnet.schedulers.NewBobScheduler",
        "initial_value, annealing_factor=0.5, improvement_threshold=0.0025, patient=0");
    row("speechbrain.nnet.schedulers.NoamScheduler", "lr_initial, n_warmup_steps, model_size=null");
    row("torch.optim.AdamW",
        "lr=0.001, betas=[0.9, 0.999], eps=1e-08, weight_decay=0.01, amsgrad=False, "
        "maximize=False, "
        "foreach=null, capturable=False, differentiable=False, fused=null");
    row("torch.optim.Adadelta",
        "lr=1.0, rho=0.9, eps=1e-06, weight_decay=0.0, foreach=null, capturable=False, "
        "maximize=False, differentiable=False");
    row("speechbrain.augment.freq_domain.SpectrogramDrop",
        "drop_length_low=5, drop_length_high=15, drop_count_low=1, drop_count_high=3, "
        "replace=zeros, "
        "dim=1");
    row("kymo.models.ConvEncoder",
        "input_size, channels=256, blocks=5, kernel_size=9, dropout=0.1, front_channels=256, "
        "subsampling=4");
}

void TstCatalog::signature_isUpstreams()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    const ClassInfo* info = findClass(name.toStdString());
    QVERIFY(info);
    QCOMPARE(signature(*info), expected);
}

void TstCatalog::everyClass_hasUniqueFieldsAndAnOwnCheck()
{
    for (const std::string& name : classNames()) {
        const ClassInfo* info = findClass(name);
        QVERIFY2(info, name.c_str());
        QCOMPARE(info->name, name);
        QCOMPARE(info->trainable, info->checkArguments != nullptr);
        std::set<std::string> fields;
        for (const Field& field : info->fields)
            QVERIFY2(fields.insert(field.name).second, (name + "." + field.name).c_str());
    }
}

void TstCatalog::aliases_findTheSameEntry()
{
    QVERIFY(findClass("torch.nn.GELU"));
    QCOMPARE(findClass("torch.nn.modules.activation.GELU"), findClass("torch.nn.GELU"));
    QCOMPARE(findClass("torch.optim.adamw.AdamW"), findClass("torch.optim.AdamW"));
}

void TstCatalog::unknownName_findsNothing()
{
    QCOMPARE(findClass("speechbrain.nnet.linear.Liner"), nullptr);
    QCOMPARE(findClass(""), nullptr);
}

void TstCatalog::parameters_areOwnedByWhatTrains()
{
    QVERIFY(findClass("speechbrain.nnet.linear.Linear")->ownsParameters);
    QVERIFY(findClass("speechbrain.lobes.models.RNNLM.RNNLM")->ownsParameters);
    QVERIFY(!findClass("speechbrain.lobes.features.Fbank")->ownsParameters);
    QVERIFY(!findClass("torch.nn.ModuleList")->ownsParameters);
}

void TstCatalog::namedArguments_fillTheirMembers()
{
    std::vector<recipe::Diagnostic> found;
    const auto config = read<CrdnnConfig>("!new:speechbrain.lobes.models.CRDNN.CRDNN\n"
                                          "    input_shape: [null, null, 40]\n"
                                          "    dropout: 0\n"
                                          "    cnn_channels: [8, 16]\n"
                                          "    time_pooling: True\n"
                                          "    rnn_class: !name:speechbrain.nnet.RNN.LSTM\n",
        found);
    QVERIFY(found.empty());
    QVERIFY(config.inputShape == Shape({ std::nullopt, std::nullopt, 40 }));
    QCOMPARE(config.dropout, 0.0);
    QVERIFY(config.cnnChannels == std::vector<int64_t>({ 8, 16 }));
    QVERIFY(config.timePooling);
    QVERIFY(config.rnnClass);
    QVERIFY(!config.activation);
    QCOMPARE(config.rnnLayers, int64_t { 4 });
}

void TstCatalog::positionalArguments_followTheSignature()
{
    std::vector<recipe::Diagnostic> found;
    const auto config = read<SpeedPerturbConfig>(
        "!new:speechbrain.augment.time_domain.SpeedPerturb\n    - 16000\n    - [95, 105]\n", found);
    QVERIFY(found.empty());
    QCOMPARE(config.origFreq, int64_t { 16000 });
    QVERIFY(config.speeds == std::vector<int64_t>({ 95, 105 }));
}

void TstCatalog::emptyObject_keepsDefaults()
{
    std::vector<recipe::Diagnostic> found;
    const auto config = read<FbankConfig>("!new:speechbrain.lobes.features.Fbank", found);
    QVERIFY(found.empty());
    QCOMPARE(config.nMels, int64_t { 40 });
}

void TstCatalog::tuples_areLists()
{
    std::vector<recipe::Diagnostic> found;
    const auto front = read<ConvolutionFrontEndConfig>(
        "!new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "    input_shape: (8, None, 80)\n"
        "    residuals: (False, True)\n"
        "    strides: (2,)\n",
        found);
    QVERIFY(found.empty());
    QVERIFY(front.inputShape == Shape({ 8, std::nullopt, 80 }));
    QVERIFY(front.residuals == std::vector<bool>({ false, true }));
    QVERIFY(front.strides == std::vector<int64_t>({ 2 }));
    const auto adam = read<AdamConfig>("!name:torch.optim.Adam\n    betas: (0.9, 0.98)\n", found);
    QVERIFY(adam.betas == std::vector<double>({ 0.9, 0.98 }));
    const auto conv = read<Conv2dConfig>(
        "!new:speechbrain.nnet.CNN.Conv2d\n    out_channels: 4\n    kernel_size: 3\n", found);
    QVERIFY(found.empty());
    QVERIFY(conv.kernelSize == std::vector<int64_t>({ 3 }));
}

void TstCatalog::explicitNull_isNotTheSameAsAbsent()
{
    std::vector<recipe::Diagnostic> found;
    const auto front = read<ConvolutionFrontEndConfig>(
        "!new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "    input_shape: (8, 10, 80)\n"
        "    norm: null\n",
        found);
    QVERIFY(found.empty());
    QVERIFY(front.norm);
    QVERIFY(recipe::isNull(*front.norm));
    QVERIFY(!front.convModule);
}

void TstCatalog::wrongValues_areReported_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* arguments, const char* expected) {
        QTest::newRow(name) << QString(arguments) << QString(expected);
    };
    row("string for int", "    rnn_layers: two\n",
        "argument-type: 'rnn_layers' of CRDNN must be a whole number, not two");
    row("float for int", "    rnn_layers: 2.5\n",
        "argument-type: 'rnn_layers' of CRDNN must be a whole number, not 2.5");
    row("quoted int", "    rnn_layers: \"2\"\n",
        "argument-type: 'rnn_layers' of CRDNN must be a whole number, not the string '2'");
    row("null for int", "    rnn_layers: null\n",
        "argument-type: 'rnn_layers' of CRDNN must be a whole number, not null");
    row("bool for int", "    rnn_layers: True\n",
        "argument-type: 'rnn_layers' of CRDNN must be a whole number, not True");
    row("list for float", "    dropout: [0.1]\n",
        "argument-type: 'dropout' of CRDNN must be a number, not a list");
    row("object for float", "    dropout: !new:torch.nn.ReLU\n",
        "argument-type: 'dropout' of CRDNN must be a number, not an object of torch.nn.ReLU");
    row("string in list", "    cnn_channels: [8, x]\n",
        "argument-type: 'cnn_channels' of CRDNN must be a list of whole numbers, not x");
    row("too large", "    dropout: 1.5\n",
        "argument-range: 'dropout' of CRDNN must be between 0 and 1, not 1.5");
    row("too small", "    rnn_neurons: 0\n",
        "argument-range: 'rnn_neurons' of CRDNN must be at least 1, not 0");
    row("too small in list", "    cnn_channels: (8, 0)\n",
        "argument-range: 'cnn_channels' of CRDNN must be at least 1, not (8, 0)");
    row("not an argument", "    colour: red\n", "unknown-argument");
}

void TstCatalog::wrongValues_areReported()
{
    QFETCH(QString, arguments);
    QFETCH(QString, expected);
    const QString message = QString::fromStdString(firstFinding<CrdnnConfig>(
        "!new:speechbrain.lobes.models.CRDNN.CRDNN\n" + arguments.toStdString()));
    QVERIFY2(message.startsWith(expected), qPrintable(message));
}

void TstCatalog::misspeltArgument_hasAFix()
{
    const std::string text = "x: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    rnn_layer: 2\n";
    const recipe::Parsed parsed = recipe::parse(text, "t.yaml");
    std::vector<recipe::Diagnostic> found;
    readConfig<CrdnnConfig>(*recipe::find(*parsed.root, "x"), found);
    QCOMPARE(found.size(), size_t { 1 });
    QVERIFY(found[0].fix);
    QCOMPARE(recipe::applyFix(text, *found[0].fix),
        std::string("x: !new:speechbrain.lobes.models.CRDNN.CRDNN\n    rnn_layers: 2\n"));
}

void TstCatalog::yes_isFixedToTrue()
{
    const std::string text = "x: !new:speechbrain.nnet.activations.Softmax\n    apply_log: yes\n";
    const recipe::Parsed parsed = recipe::parse(text, "t.yaml");
    std::vector<recipe::Diagnostic> found;
    readConfig<SoftmaxConfig>(*recipe::find(*parsed.root, "x"), found);
    QCOMPARE(found.size(), size_t { 1 });
    QVERIFY(found[0].fix);
    QVERIFY(recipe::applyFix(text, *found[0].fix).ends_with("apply_log: True\n"));
}

void TstCatalog::wrongValue_keepsTheDefault()
{
    std::vector<recipe::Diagnostic> found;
    const auto config = read<CrdnnConfig>(
        "!new:speechbrain.lobes.models.CRDNN.CRDNN\n    dropout: 7\n    cnn_channels: [1, x]\n",
        found);
    QCOMPARE(found.size(), size_t { 2 });
    QCOMPARE(config.dropout, 0.15);
    QVERIFY(config.cnnChannels == std::vector<int64_t>({ 128, 256 }));
}

void TstCatalog::openReference_isNotReportedTwice()
{
    QCOMPARE(firstFinding<FbankConfig>(
                 "!new:speechbrain.lobes.features.Fbank\n    n_mels: !PLACEHOLDER\n"),
        std::string());
}

void TstCatalog::nameTag_mayLeaveArgumentsOut()
{
    QCOMPARE(firstFinding<LinearConfig>("!name:speechbrain.nnet.linear.Linear"), std::string());
    QCOMPARE(firstFinding<LinearConfig>("!new:speechbrain.nnet.linear.Linear"),
        std::string("missing-argument: Linear needs the argument 'n_neurons'"));
}

QTEST_GUILESS_MAIN(TstCatalog)
#include "tst_catalog.moc"
