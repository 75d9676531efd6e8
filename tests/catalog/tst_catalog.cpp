#include "../data/parity_case.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs.h"
#include "core/catalog/read.h"
#include "core/catalog/signature_table.h"
#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>
#include <set>

using namespace earwright;
using namespace earwright::catalog;

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

/// Numbers as they are worth: 10.0 and 10 are one default.
QString defaultOf(const Field& field)
{
    static const QRegularExpression wholeNumber(R"(\.0\b)");
    bool isNumber = false;
    const QString text = QString::fromStdString(field.defaultText).remove(' ').remove(wholeNumber);
    const double value = text.toDouble(&isNumber);
    return isNumber ? QString::number(value, 'g', 17) : text;
}

/// Names, order and defaults, but for the defaults that are objects in `typed`: these are null
/// there. What comes before the first argument of `typed` is left out: a loss is given its batch.
QString signature(const ClassInfo& info, const ClassInfo& typed)
{
    QStringList parts;
    for (const Field& field : info.fields) {
        const auto same = std::find_if(typed.fields.begin(), typed.fields.end(),
            [&](const Field& ours) { return ours.name == field.name; });
        const bool isObject = same != typed.fields.end() && same->type == FieldType::Node;
        const QString name = QString::fromStdString(field.name);
        if (parts.isEmpty() && (same == typed.fields.end()))
            continue;
        parts << (field.facts.required ? name
                : isObject             ? name + "="
                                       : name + "=" + defaultOf(field));
    }
    return parts.join(", ");
}

/// Classes that the shipped recipes name.
std::set<std::string> shippedClasses()
{
    static const QRegularExpression tag(R"(!(?:new|name|apply):([\w.]+))");
    std::set<std::string> names;
    QDirIterator files(
        EARWRIGHT_SOURCE_DIR "/configs", { "*.yaml" }, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const Result<std::string> text = readFile(files.next().toStdString());
        auto match = tag.globalMatch(QString::fromStdString(text ? *text : std::string()));
        while (match.hasNext())
            names.insert(match.next().captured(1).toStdString());
    }
    return names;
}

} // namespace

class TstCatalog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signature_isUpstreams_data();
    void signature_isUpstreams();
    void everyClass_hasUniqueFieldsAndAnOwnCheck();
    void everyTrainableClass_isExplained_data();
    void everyTrainableClass_isExplained();
    void everyClassOfACase_isExplained();
    void generatedClass_isKnownByItsSignature();
    void generatedArguments_areChecked_data();
    void generatedArguments_areChecked();
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
    void softmaxWithoutDim_isGivenOne();
    void shiftOfNull_isHalfTheKernel();
};

void TstCatalog::signature_isUpstreams_data()
{
    QTest::addColumn<QString>("name");
    // Upstream's torch.nn.LSTM is *args, **kwargs.
    for (const std::string& name : trainableClassNames())
        if (!name.starts_with("earwright.") && name != "torch.nn.LSTM")
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstCatalog::signature_isUpstreams()
{
    QFETCH(QString, name);
    const ClassInfo* ours = findClass(name.toStdString());
    const ClassInfo* upstream = findSignature(name.toStdString());
    QVERIFY(upstream);
    QCOMPARE(signature(*ours, *ours), signature(*upstream, *ours));
    QCOMPARE(ours->ownsParameters, upstream->ownsParameters);
}

void TstCatalog::everyClass_hasUniqueFieldsAndAnOwnCheck()
{
    for (const std::string& name : classNames()) {
        const ClassInfo* info = findClass(name);
        QVERIFY2(info, name.c_str());
        QCOMPARE(info->name, name);
        QVERIFY2(info->checkArguments, name.c_str());
        std::set<std::string> fields;
        for (const Field& field : info->fields)
            QVERIFY2(fields.insert(field.name).second, (name + "." + field.name).c_str());
    }
}

void TstCatalog::everyTrainableClass_isExplained_data()
{
    QTest::addColumn<QString>("name");
    for (const std::string& name : trainableClassNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstCatalog::everyTrainableClass_isExplained()
{
    QFETCH(QString, name);
    const ClassInfo* info = findClass(name.toStdString());
    QVERIFY(!info->help.empty());
    QVERIFY(!info->source.empty());
    for (const Field& field : info->fields)
        QVERIFY2(*field.facts.help != '\0', field.name.c_str());
}

/// Of every class that upstream's recorded cases or the shipped recipes name: what it is, where
/// that is from, and each argument.
void TstCatalog::everyClassOfACase_isExplained()
{
    std::set<std::string> names = shippedClasses();
    for (const auto& file : std::filesystem::directory_iterator(tests::parityFolder()))
        if (file.path().extension() == ".json") {
            const QString name = QString::fromStdString(file.path().stem().string());
            names.insert(tests::parityCase(name)->value("upstream", ""));
        }
    QStringList unexplained;
    int classes = 0;
    int arguments = 0;
    for (const std::string& name : names) {
        const ClassInfo* info = findClass(name);
        if (!info)
            continue;
        ++classes;
        if (info->help.empty() || info->source.empty())
            unexplained << QString::fromStdString(name);
        for (const Field& field : info->fields) {
            ++arguments;
            if (*field.facts.help == '\0')
                unexplained << QString::fromStdString(name + "." + field.name);
        }
    }
    qInfo("%d classes with %d arguments", classes, arguments);
    QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained.join('\n')));
    QVERIFY(classes > 40);
}

void TstCatalog::generatedClass_isKnownByItsSignature()
{
    const ClassInfo* info = findClass("speechbrain.nnet.embedding.Embedding");
    QVERIFY(info);
    QVERIFY(!info->trainable);
    QVERIFY(info->ownsParameters);
    QCOMPARE(info->role, Role::Module);
    QCOMPARE(info->source, std::string("SpeechBrain 1.1.2, speechbrain/nnet/embedding.py"));
    QCOMPARE(info->fields.size(), size_t { 4 });
    QCOMPARE(info->fields[0].name, std::string("num_embeddings"));
    QVERIFY(info->fields[0].facts.required);
    QCOMPARE(info->fields[1].defaultText, std::string("128"));
    QVERIFY(info->fields[2].type == FieldType::Bool);
    QCOMPARE(findClass("speechbrain.decoders.S2SRNNBeamSearcher"),
        findClass("speechbrain.decoders.seq2seq.S2SRNNBeamSearcher"));
    QVERIFY(!findClass("speechbrain.lobes.features.MFCC")->ownsParameters);
    QVERIFY(classNames().size() > 1400);
}

void TstCatalog::generatedArguments_areChecked_data()
{
    QTest::addColumn<QString>("yaml");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* yaml, const char* expected) {
        QTest::newRow(name) << QString(yaml) << QString(expected);
    };
    row("accepted", "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 40\n", "");
    row("by position", "!new:speechbrain.nnet.embedding.Embedding [40, 128]", "");
    row("too many by position", "!new:speechbrain.nnet.embedding.Embedding [40, 128, True, 0, 1]",
        "unknown-argument: Embedding takes at most 4 arguments, not 5");
    row("missing", "!new:speechbrain.nnet.embedding.Embedding",
        "missing-argument: Embedding needs the argument 'num_embeddings'");
    row("missing is the caller's", "!name:speechbrain.nnet.embedding.Embedding", "");
    row("misspelt",
        "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 4\n    embeding_dim: 2\n",
        "unknown-argument: Embedding has no argument 'embeding_dim'; did you mean "
        "'embedding_dim'?");
    row("word for a switch",
        "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 4\n    "
        "consider_as_one_hot: yes\n",
        "argument-type: 'consider_as_one_hot' of Embedding must be True or False, not yes");
    row("word for a number",
        "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: many\n",
        "argument-type: 'num_embeddings' of Embedding must be a whole number, not many");
    row("out of range",
        "!name:speechbrain.decoders.seq2seq.S2STransformerBeamSearcher\n    beam_size: 0\n",
        "argument-range: 'beam_size' of S2STransformerBeamSearcher must be at least 1, not 0");
    row("a word that it does not take",
        "!name:speechbrain.nnet.losses.kldiv_loss\n    reduction: batchmeen\n",
        "argument-range: 'reduction' of kldiv_loss must be one of mean, batch, batchmean, sum, "
        "none, not batchmeen");
    row("a word that it takes",
        "!name:speechbrain.nnet.losses.kldiv_loss\n    reduction: batchmean\n", "");
    row("null may be meant",
        "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 4\n    blank_id: null\n",
        "");
    row("through the base class",
        "!name:speechbrain.decoders.seq2seq.S2STransformerBeamSearcher\n    beam_sise: 4\n",
        "unknown-argument: S2STransformerBeamSearcher has no argument 'beam_sise'; did you mean "
        "'beam_size'?");
    row("an optimizer of torch", "!name:torch.optim.RAdam\n    beta: [0.9, 0.98]\n",
        "unknown-argument: RAdam has no argument 'beta'; did you mean 'betas'?");
    row("any argument goes", "!new:sentencepiece.SentencePieceProcessor\n    anything: 1\n", "");
}

void TstCatalog::generatedArguments_areChecked()
{
    QFETCH(QString, yaml);
    QFETCH(QString, expected);
    const recipe::NodePtr node = parseObject(yaml.toStdString());
    QVERIFY(node);
    std::vector<recipe::Diagnostic> found;
    findClass(classOf(*node))->checkArguments(*node, found);
    QStringList texts;
    for (const recipe::Diagnostic& diagnostic : found)
        texts << QString::fromStdString(diagnostic.rule + ": " + diagnostic.message);
    QCOMPARE(texts.join('\n'), expected);
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
    QVERIFY(config.speeds == std::vector<double>({ 95, 105 }));
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
        "    num_blocks: 1\n"
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
        "    residuals: (False, False, False)\n"
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
        "argument-range: 'cnn_channels' of CRDNN must be at least 1, not 0");
    row("too small in sequence", "    inter_layer_pooling_size: [1, 0]\n",
        "argument-range: 'inter_layer_pooling_size' of CRDNN must be at least 1, not 0");
    row("nothing left", "    projection_dim: 0\n",
        "argument-range: 'projection_dim' of CRDNN must be -1 or at least 1, not 0");
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

void TstCatalog::softmaxWithoutDim_isGivenOne()
{
    const std::string text = "x: !new:torch.nn.LogSoftmax # of all\ny: 1\n";
    const recipe::Parsed parsed = recipe::parse(text, "t.yaml");
    std::vector<recipe::Diagnostic> found;
    readConfig<TorchSoftmaxConfig>(*recipe::find(*parsed.root, "x"), found);
    QCOMPARE(found.size(), size_t { 1 });
    QVERIFY(found[0].fix);
    QCOMPARE(recipe::applyFix(text, *found[0].fix),
        std::string("x: !new:torch.nn.LogSoftmax {dim: -1} # of all\ny: 1\n"));
}

void TstCatalog::shiftOfNull_isHalfTheKernel()
{
    const std::string object = "!new:funasr.models.paraformer.decoder.ParaformerSANMDecoder\n"
                               "    vocab_size: 9\n    encoder_output_size: 8\n";
    const auto shift = [&](const std::string& more) {
        std::vector<recipe::Diagnostic> found;
        const auto config = read<ParaformerDecoderConfig>(object + more, found);
        return found.empty() ? config.sanmShift : -1;
    };
    QCOMPARE(shift(""), int64_t { 0 });
    QCOMPARE(shift("    sanm_shfit: 2\n"), int64_t { 2 });
    QCOMPARE(shift("    sanm_shfit: null\n"), int64_t { 10 }); // of the default, 21
    QCOMPARE(shift("    kernel_size: 11\n    sanm_shfit: null\n"), int64_t { 5 });
}

EARWRIGHT_TEST(TstCatalog)
#include "tst_catalog.moc"
