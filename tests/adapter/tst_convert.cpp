#include "core/adapter/convert.h"
#include "core/check/check.h"
#include "core/recipe/resolve.h"

#include <QFile>
#include <QTest>

using namespace kymo;

// The configurations lie in tests/cases/check (foreign_*.yaml), the recipes that they become in
// tests/cases/adapter; KYMO_UPDATE_CASES=1 writes these anew, to be read before they are kept.

namespace {

QString readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

adapter::Converted converted(const QString& name)
{
    const std::string text
        = readText(QString(KYMO_CASES_DIR) + "/check/" + name + ".yaml").toStdString();
    const std::string fileName = name.toStdString() + ".yaml";
    const recipe::Resolved resolved = recipe::resolve(text, fileName, {});
    const auto toolkit = adapter::toolkitOf(*resolved.root);
    return toolkit ? adapter::convert(resolved.root, *toolkit, fileName) : adapter::Converted();
}

void addConfigurations()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
        { "foreign_seaco", "foreign_bicif", "foreign_paraformer", "foreign_wenet" })
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
    void unknownClass_isNamedAndKept();
    void ctcWeight_bringsItsLayer_data();
    void ctcWeight_bringsItsLayer();
};

void TstConvert::configuration_becomesTheExpectedRecipe()
{
    QFETCH(QString, name);
    const adapter::Converted result = converted(name);
    QString text = QString::fromStdString(result.text) + "--- not converted\n";
    for (const recipe::Diagnostic& diagnostic : result.diagnostics)
        text += QString::number(diagnostic.span.begin.line) + ": "
            + QString::fromStdString(diagnostic.message) + "\n";
    QFile file(QString(KYMO_CASES_DIR) + "/adapter/" + name + ".expected");
    if (qEnvironmentVariableIsSet("KYMO_UPDATE_CASES")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
        return;
    }
    QCOMPARE(text, readText(file.fileName()));
}

void TstConvert::recipe_resolvesAndItsArgumentsFit()
{
    QFETCH(QString, name);
    const std::string text = converted(name).text;
    const recipe::Resolved resolved = recipe::resolve(text, "converted.yaml", {});
    for (const recipe::Diagnostic& diagnostic : resolved.diagnostics)
        QFAIL(diagnostic.message.c_str());
    QVERIFY(recipe::find(*resolved.root, "modules"));
    check::Request request;
    request.text = text;
    // What the conversion asks its user for.
    if (const size_t open = text.find("\nvocab_size: -1\n"); open != std::string::npos)
        request.text.replace(open, 16, "\nvocab_size: 4234\n");
    request.fileName = "converted.yaml";
    request.checkFiles = false;
    for (const recipe::Diagnostic& diagnostic : check::check(request, check::Machine()).diagnostics)
        QVERIFY2(diagnostic.rule.find("argument") == std::string::npos
                && !diagnostic.rule.starts_with("unknown")
                && diagnostic.rule != "coverage-not-in-modules",
            diagnostic.message.c_str());
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

QTEST_GUILESS_MAIN(TstConvert)
#include "tst_convert.moc"
