#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/recipe/resolve.h"
#include "core/train/inspect_start.h"

#include <QDir>
#include <QTest>

using namespace kymo;

// tests/cases/train/start: a recipe and what is to be said of its start. KYMO_UPDATE_CASES=1 writes
// the expected texts anew, to be read before they are kept.

namespace {

const QString kCases = QString(KYMO_CASES_DIR) + "/train/start";

std::string textOf(const recipe::Node& recipe, const char* key)
{
    const recipe::NodePtr node = recipe::find(recipe, key);
    return node ? recipe::asString(*node) : "";
}

std::vector<recipe::Diagnostic> inspect(const QString& name)
{
    const auto text = readFile((kCases + "/" + name + ".yaml").toStdString());
    if (!text)
        qFatal("%s", text.error().message.c_str());
    const recipe::Override cases { { "cases" }, recipe::makeScalar(KYMO_CASES_DIR), "",
        recipe::Origin::Override };
    const recipe::Resolved resolved = recipe::resolve(*text, "recipe.yaml", { cases }, {});
    catalog::RunOptions options;
    options.task = "ctc";
    options.freezeParam = textOf(*resolved.root, "freeze_param");
    options.initParam = textOf(*resolved.root, "init_param");
    return train::inspectStart(*resolved.root, options);
}

} // namespace

class TstInspectStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_givesTheExpectedText_data();
    void recipe_givesTheExpectedText();
};

void TstInspectStart::recipe_givesTheExpectedText_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(kCases).entryList({ "*.yaml" }))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void TstInspectStart::recipe_givesTheExpectedText()
{
    QFETCH(QString, name);
    QString text;
    for (const recipe::Diagnostic& diagnostic : inspect(name)) {
        QVERIFY2(check::findRule(diagnostic.rule), diagnostic.rule.c_str());
        text += QString::fromStdString(recipe::formatDiagnostic(diagnostic, ""));
    }
    text.replace(KYMO_CASES_DIR, "CASES");
    const std::string expected = (kCases + "/" + name + ".expected").toStdString();
    if (qEnvironmentVariableIsSet("KYMO_UPDATE_CASES")) {
        QVERIFY(writeFileAtomically(expected, text.toStdString()));
        return;
    }
    const auto read = readFile(expected);
    QVERIFY(read);
    QCOMPARE(text, QString::fromStdString(*read));
}

QTEST_GUILESS_MAIN(TstInspectStart)
#include "tst_inspect_start.moc"
