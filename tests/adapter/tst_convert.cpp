#include "core/adapter/convert.h"
#include "core/adapter/model_folder.h"
#include "core/check/check.h"
#include "core/recipe/resolve.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

// The configurations lie in tests/cases/check (foreign_*.yaml), the recipes that they become in
// tests/cases/adapter.

namespace {

const QString kReleased = QString(EARWRIGHT_CASES_DIR) + "/adapter/released";

Result<int64_t> sixTokens(const std::string&)
{
    return 6;
}

/// `words`: overrides.
adapter::Converted converted(const QString& name, const std::vector<std::string>& words = {})
{
    const std::string text
        = bytesOf(QString(EARWRIGHT_CASES_DIR) + "/check/" + name + ".yaml").toStdString();
    const std::string fileName = name.toStdString() + ".yaml";
    const recipe::Resolved resolved
        = recipe::resolve(text, fileName, *recipe::parseOverrides(words));
    const auto toolkit = adapter::toolkitOf(*resolved.root);
    return toolkit ? adapter::convert(resolved.root, *toolkit, fileName) : adapter::Converted();
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
        = adapter::convert(whole.root, adapter::Toolkit::FunAsr, fileName, sixTokens);
    result.diagnostics.insert(
        result.diagnostics.begin(), whole.diagnostics.begin(), whole.diagnostics.end());
    return result;
}

/// The recipe, then what was said.
QString shown(const adapter::Converted& converted)
{
    QString text = QString::fromStdString(converted.text) + "--- not converted\n";
    for (const recipe::Diagnostic& diagnostic : converted.diagnostics)
        text += QString::number(diagnostic.span.begin.line) + ": "
            + QString::fromStdString(diagnostic.message) + "\n";
    return text.replace(EARWRIGHT_CASES_DIR, "CASES");
}

/// With what the conversion asks its user for.
check::Findings checked(const std::string& recipe)
{
    check::Request request;
    request.text = recipe;
    const auto fill = [&](const std::string& asked, const std::string& value) {
        if (const size_t at = request.text.find("\n" + asked); at != std::string::npos)
            request.text.replace(at + 1, asked.size(), value);
    };
    fill("vocab_size: -1\n", "vocab_size: 8404\n");
    fill("data_folder: !PLACEHOLDER", "data_folder: .");
    request.fileName = "converted.yaml";
    request.checkFiles = false;
    return check::check(request, check::Machine());
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
    void lostOverride_isAnError_data();
    void lostOverride_isAnError();
    void overrideOfWhatIsLogged_isAWarning();
    void addedOption_winsOverTheFile();
    void unknownClass_isNamedAndKept();
    void ctcWeight_bringsItsLayer_data();
    void ctcWeight_bringsItsLayer();
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

void TstConvert::lostOverride_isAnError_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* word, const char* message) {
        QTest::newRow(word) << QString(word) << QString(message);
    };
    row("++optim_conf.lrr=3", "Adam takes no 'lrr'; did you mean 'lr'?");
    row("--model_conf.predictor_weigth=2",
        "SeacoParaformer never reads 'predictor_weigth'; did you mean 'predictor_weight'?");
    row("--model_conf.seaco_length_normal=false",
        "'seaco_length_normal' is left out: the model never reads it");
    row("++dataset_conf.sort_size=5", "'sort_size' of 'dataset_conf' has no counterpart");
    row("++scheduler=tri_stage",
        "the schedule 'funasr.schedulers.tri_stage_scheduler.TriStageLR' has no counterpart");
}

void TstConvert::lostOverride_isAnError()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QStringList errors;
    for (const auto& diagnostic : converted("foreign_seaco", { word.toStdString() }).diagnostics)
        if (diagnostic.severity == recipe::Severity::Error)
            errors << QString::fromStdString(diagnostic.message);
    QCOMPARE(errors, QStringList("'" + word + "': " + message));
}

/// FunASR's own scripts give it on every command line.
void TstConvert::overrideOfWhatIsLogged_isAWarning()
{
    const std::string word = "++train_conf.log_interval=5";
    bool isTold = false;
    for (const auto& diagnostic : converted("foreign_seaco", { word }).diagnostics) {
        QVERIFY2(diagnostic.severity != recipe::Severity::Error, diagnostic.message.c_str());
        isTold = isTold
            || diagnostic.message
                == "'" + word + "': the trainer's 'log_interval' has no counterpart";
    }
    QVERIFY(isTold);
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

EARWRIGHT_TEST(TstConvert)
#include "tst_convert.moc"
