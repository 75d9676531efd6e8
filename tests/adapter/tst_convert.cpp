#include "core/adapter/model_folder.h"
#include "tests/adapter/conversion.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::tests;

// The configurations lie in tests/cases/check (foreign_*.yaml), the recipes that they become in
// tests/cases/adapter.

namespace {

const QString kReleased = QString(EARWRIGHT_CASES_DIR) + "/adapter/released";

Result<int64_t> sixTokens(const std::string&)
{
    return 6;
}

/// A configuration of FunASR in a model's folder.
adapter::Converted convertedIn(const QString& folder, const std::vector<std::string>& words = {})
{
    const std::string fileName = (folder + "/config.yaml").toStdString();
    const recipe::Resolved resolved
        = recipe::resolve(bytesOf(QString::fromStdString(fileName)).toStdString(), fileName,
            *recipe::parseOverrides(words));
    const adapter::Adapted whole = adapter::withModelFiles(resolved.root, fileName);
    adapter::Converted result
        = adapter::convert(whole.root, adapter::Toolkit::FunAsr, fileName, { sixTokens });
    result.diagnostics.insert(
        result.diagnostics.begin(), whole.diagnostics.begin(), whole.diagnostics.end());
    return result;
}

void addConfigurations()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "foreign_seaco", "foreign_seaco_both_ways", "foreign_bicif",
             "foreign_paraformer", "foreign_wenet" })
        QTest::newRow(name) << QString(name);
}

} // namespace

class TstConvert : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void configuration_becomesTheExpectedRecipe_data() { addConfigurations(); }
    void configuration_becomesTheExpectedRecipe();
    void recipe_resolvesAndItsArgumentsFit_data() { addConfigurations(); }
    void recipe_resolvesAndItsArgumentsFit();
    void seaco_passesTheCheck_data();
    void seaco_passesTheCheck();
    void biasEncoderOfAnotherKind_isRefused();
    void releasedModel_bringsItsFiles();
    void modelWithoutAList_bringsFilesOfTheUsualNames();
    void overriddenFile_stays();
    void addedOption_winsOverTheFile();
    void unknownClass_isNamedAndKept();
    void ctcWeight_bringsItsLayer_data();
    void ctcWeight_bringsItsLayer();
    void senseVoice_bringsItsQueries();
    void unknownPieces_areNamed();
    void otherRate_isThatOfTheAudio();
    void modelWithoutATask_isNamed_data();
    void modelWithoutATask_isNamed();
};

void TstConvert::configuration_becomesTheExpectedRecipe()
{
    QFETCH(QString, name);
    compareWithFile(
        shown(converted(name)), QString(EARWRIGHT_CASES_DIR) + "/adapter/" + name + ".expected");
}

void TstConvert::recipe_resolvesAndItsArgumentsFit()
{
    QFETCH(QString, name);
    const std::string text = converted(name).text;
    const recipe::Resolved resolved
        = recipe::resolve(text, "converted.yaml", *recipe::parseOverrides({ "data_folder=." }));
    for (const recipe::Diagnostic& diagnostic : resolved.diagnostics)
        QFAIL(diagnostic.message.c_str());
    QVERIFY(recipe::find(*resolved.root, "modules"));
    for (const recipe::Diagnostic& diagnostic : checked(text).diagnostics)
        QVERIFY2(diagnostic.rule.find("argument") == std::string::npos
                && !diagnostic.rule.starts_with("unknown")
                && diagnostic.rule != "coverage-not-in-modules",
            diagnostic.message.c_str());
}

void TstConvert::seaco_passesTheCheck_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("released") << QString("foreign_seaco");
    QTest::newRow("both ways") << QString("foreign_seaco_both_ways");
}

void TstConvert::seaco_passesTheCheck()
{
    QFETCH(QString, name);
    for (const recipe::Diagnostic& diagnostic : checked(converted(name).text).diagnostics)
        QVERIFY2(diagnostic.severity != recipe::Severity::Error, diagnostic.message.c_str());
}

void TstConvert::biasEncoderOfAnotherKind_isRefused()
{
    const adapter::Converted result
        = converted("foreign_seaco", { "model_conf.bias_encoder_type=mean" });
    QVERIFY(recipe::hasErrors(result.diagnostics));
    QVERIFY2(
        shown(result).contains("'model_conf.bias_encoder_type=mean': 'bias_encoder' is left out"),
        qPrintable(shown(result)));
}

void TstConvert::releasedModel_bringsItsFiles()
{
    compareWithFile(
        shown(convertedIn(kReleased)), QString(EARWRIGHT_CASES_DIR) + "/adapter/released.expected");
}

void TstConvert::modelWithoutAList_bringsFilesOfTheUsualNames()
{
    QTemporaryDir folder;
    for (const char* name : { "config.yaml", "am.mvn", "tokens.json", "model.pt" })
        QVERIFY(QFile::copy(kReleased + "/" + name, folder.filePath(name)));
    const adapter::Converted result = convertedIn(folder.path());
    const QString text = shown(result);
    for (const QString& line : { "label_encoder_file: " + folder.filePath("tokens.json"),
             QString("vocab_size: 6"), "cmvn_file: " + folder.filePath("am.mvn"),
             "# model.pt\ninit_param: " + folder.filePath("model.pt") })
        QVERIFY2(text.contains(line + "\n"), qPrintable(text));
    QVERIFY2(result.diagnostics.empty(), qPrintable(text));
}

void TstConvert::overriddenFile_stays()
{
    const QString text = shown(convertedIn(kReleased, { "frontend_conf.cmvn_file=mine.mvn" }));
    QVERIFY2(text.contains("cmvn_file: mine.mvn\n"), qPrintable(text));
}

void TstConvert::addedOption_winsOverTheFile()
{
    const std::string text = bytesOf(kReleased + "/config.yaml").toStdString();
    recipe::ResolveOptions options;
    options.addableKeys = { "number_of_epochs" };
    const recipe::Resolved resolved = recipe::resolve(
        text, "c.yaml", *recipe::parseOverrides({ "++number_of_epochs=2" }), options);
    const QString recipe
        = shown(adapter::convert(resolved.root, adapter::Toolkit::FunAsr, "c.yaml"));
    QVERIFY2(recipe.contains("# ++number_of_epochs=2\nnumber_of_epochs: 2\n"), qPrintable(recipe));
}

void TstConvert::unknownClass_isNamedAndKept()
{
    const adapter::Converted result = converted("foreign_espnet");
    QVERIFY(QString::fromStdString(result.text).contains("\nencoder: e_branchformer\n"));
    QVERIFY(QString::fromStdString(result.text).contains("\nencoder_conf:\n"));
    QStringList messages;
    for (const recipe::Diagnostic& diagnostic : result.diagnostics)
        messages << QString::fromStdString(diagnostic.message);
    QVERIFY2(messages.contains("'encoder_conf' is kept as written; nothing reads it"),
        qPrintable(messages.join('\n')));
}

void TstConvert::ctcWeight_bringsItsLayer_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("hasLayer");
    const auto row = [](const char* name, const char* model, const char* settings, bool hasLayer) {
        QTest::newRow(name) << QString(model) << QString(settings) << hasLayer;
    };
    row("not given", "Paraformer", "lsm_weight: 0.1", true);
    row("given", "Paraformer", "ctc_weight: 0.3", true);
    row("none", "Paraformer", "ctc_weight: 0.0", false);
    row("of two predictors", "BiCifParaformer", "lsm_weight: 0.1", true);
    row("of hotwords", "SeacoParaformer", "inner_dim: 8", false);
}

void TstConvert::ctcWeight_bringsItsLayer()
{
    QFETCH(QString, model);
    QFETCH(QString, settings);
    QFETCH(bool, hasLayer);
    const std::string text = "model: " + model.toStdString() + "\nmodel_conf: {"
        + settings.toStdString() + "}\nctc: CTC\nencoder: SANMEncoder\nencoder_conf: {}\n";
    const recipe::Resolved resolved = recipe::resolve(text, "c.yaml", {});
    const auto result = adapter::convert(resolved.root, adapter::Toolkit::FunAsr, "c.yaml");
    const recipe::Resolved recipe = recipe::resolve(result.text, "recipe.yaml", {});
    const recipe::NodePtr ctc = recipe::find(*recipe.root, "ctc");
    QCOMPARE(ctc && ctc->tag == "!new:funasr.models.ctc.ctc.CTC", hasLayer);
    QCOMPARE(recipe::findPath(*recipe.root, "modules.ctc") != nullptr, hasLayer);
    if (hasLayer)
        QCOMPARE(recipe::asInt(*recipe::find(*ctc, "encoder_output_size")), int64_t { 256 });
}

/// As its released config.yaml, but for the sizes.
void TstConvert::senseVoice_bringsItsQueries()
{
    const std::string text = "model: SenseVoiceSmall\n"
                             "model_conf: {length_normalized_loss: true, sos: 1, eos: 2, "
                             "ignore_id: -1}\n"
                             "encoder: SenseVoiceEncoderSmall\n"
                             "encoder_conf: {output_size: 16, attention_heads: 2, "
                             "linear_units: 32, num_blocks: 2, tp_blocks: 1, input_layer: pe, "
                             "pos_enc_class: SinusoidalPositionEncoder, normalize_before: true, "
                             "kernel_size: 11, sanm_shfit: 0, selfattention_layer_type: sanm}\n"
                             "tokenizer: SentencepiecesTokenizer\n"
                             "tokenizer_conf: {bpemodel: rich.bpe.model}\n"
                             "frontend: WavFrontend\n"
                             "frontend_conf: {fs: 16000, n_mels: 80, lfr_m: 7, lfr_n: 6}\n"
                             "dataset: SenseVoiceCTCDataset\n"
                             "optim: adamw\n"
                             "optim_conf: {lr: 0.00002}\n";
    const recipe::Resolved resolved = recipe::resolve(text, "c.yaml", {});
    const auto result = adapter::convert(
        resolved.root, adapter::Toolkit::FunAsr, "c.yaml", { .countTokens = sixTokens });
    const QString recipe = QString::fromStdString(result.text);
    for (const char* line :
        { "task: sense_voice\n", "vocab_size: 6\n", "embed: !new:torch.nn.Embedding\n",
            "num_embeddings: 16\n", "embedding_dim: !ref <encoder[input_size]>\n",
            "input_size: 560\n", "ctc: !new:funasr.models.ctc.ctc.CTC\n",
            "odim: !ref <vocab_size>\n", "tokenizer: !new:sentencepiece.SentencePieceProcessor\n" })
        QVERIFY2(recipe.contains(line), qPrintable(line + recipe));
    for (const char* word : { "ctc_weight", "SenseVoiceCTCDataset" })
        QVERIFY2(!recipe.contains(word), qPrintable(recipe));
    for (const recipe::Diagnostic& diagnostic : checked(result.text).diagnostics)
        for (const char* rule : { "argument", "shape", "task", "unknown" })
            QVERIFY2(!diagnostic.rule.starts_with(rule), diagnostic.message.c_str());
}

void TstConvert::unknownPieces_areNamed()
{
    const adapter::Converted result
        = convertedText("model: SenseVoiceSmall\nmodel_conf: {sos: 1}\n"
                        "encoder: SenseVoiceEncoderSmall\nencoder_conf: {output_size: 16}\n"
                        "tokenizer: SentencepiecesTokenizer\ntokenizer_conf: {}\n");
    const QString text = shown(result);
    QVERIFY2(text.contains("\n5: the tokenizer's model is not in the configuration, so the number "
                           "of its pieces is not known; set 'vocab_size'\n"),
        qPrintable(text));
}

void TstConvert::otherRate_isThatOfTheAudio()
{
    QVERIFY(!shown(converted("foreign_seaco")).contains("sample_rate"));
    const QString text = shown(converted("foreign_seaco", { "++frontend_conf.fs=8000" }));
    QVERIFY2(text.contains("\nsample_rate: 8000\n"), qPrintable(text));
}

void TstConvert::modelWithoutATask_isNamed_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* model, const char* message) {
        QTest::newRow(model) << QString(model) << QString(message);
    };
    row("FsmnVADStreaming",
        "'FsmnVADStreaming' is a voice activity detector, which is not trained");
    row("CTTransformer", "'CTTransformer' is a model of punctuation, which is not trained here");
    row("CAMPPlus", "'CAMPPlus' is a speaker model, which is not trained here");
    row("ERes2NetV2", "'ERes2NetV2' is a speaker model, which is not trained here");
    row("ParaformerStreaming", "'ParaformerStreaming' is a streaming model, which is not trained");
    row("''", "'model' names no class; ");
    row("MyOwnModel", "'MyOwnModel' is no model of FunASR that is known");
}

void TstConvert::modelWithoutATask_isNamed()
{
    QFETCH(QString, model);
    QFETCH(QString, message);
    const std::string text = "model: " + model.toStdString()
        + "\nmodel_conf: {a: 1}\nencoder: FSMN\nencoder_conf: {}\ndata_folder: .\n";
    const recipe::Resolved resolved = recipe::resolve(text, "c.yaml", {});
    const auto result = adapter::convert(resolved.root, adapter::Toolkit::FunAsr, "c.yaml");
    QCOMPARE(result.text, std::string());
    QCOMPARE(int(result.diagnostics.size()), 1);
    const QString said = QString::fromStdString(result.diagnostics.front().message);
    QVERIFY2(said.startsWith(message), qPrintable(said));
    QVERIFY2(said.contains("'earwright convert' writes recipes of "), qPrintable(said));
    QCOMPARE(result.diagnostics.front().severity, recipe::Severity::Error);

    QStringList errors;
    for (const auto& diagnostic : checked(text).diagnostics)
        if (diagnostic.rule == "foreign-configuration")
            errors << QString::fromStdString(diagnostic.message);
    QCOMPARE(errors, QStringList(said));
}

EARWRIGHT_TEST(TstConvert)
#include "tst_convert.moc"
