#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/recipe/resolve.h"
#include "core/settings/layer_keys.h"
#include "core/settings/option_paths.h"
#include "core/tasks/spec.h"
#include "core/train/inspect_start.h"
#include "core/train/module_set.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include <QDir>
#include <QTest>

using namespace earwright;

// tests/cases/train/start: a recipe and what is to be said of its start.

namespace {

const QString kCases = QString(EARWRIGHT_CASES_DIR) + "/train/start";

std::string textOf(const recipe::Node& recipe, const char* key)
{
    const recipe::NodePtr node = settings::findOption(recipe, key);
    return node ? recipe::asString(*node) : "";
}

recipe::NodePtr resolvedCase(const QString& name)
{
    const auto text = readFile((kCases + "/" + name + ".yaml").toStdString());
    if (!text)
        qFatal("%s", text.error().message.c_str());
    const recipe::Override cases { { "cases" }, recipe::makeScalar(EARWRIGHT_CASES_DIR), "",
        recipe::Origin::Override };
    return recipe::resolve(*text, "recipe.yaml", { cases }, {}).root;
}

std::vector<recipe::Diagnostic> inspect(const recipe::Node& recipe)
{
    catalog::RunOptions options;
    options.task = "ctc";
    options.freezeParam = textOf(recipe, "freeze_param");
    options.initParam = textOf(recipe, "init_param");
    options.maxKey = textOf(recipe, "max_key");
    return train::inspectStart(recipe, options);
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
    const recipe::NodePtr recipe = resolvedCase(name);
    // Of a recipe that cannot be built nothing is said here.
    const auto built = train::ModuleSet::build(*recipe, tasks::layerKeys("ctc", *recipe));
    QVERIFY2(built, built ? "" : built.error().message.c_str());
    QString text;
    for (const recipe::Diagnostic& diagnostic : inspect(*recipe)) {
        QVERIFY2(check::findRule(diagnostic.rule), diagnostic.rule.c_str());
        text += QString::fromStdString(recipe::formatDiagnostic(diagnostic, ""));
    }
    text.replace(EARWRIGHT_CASES_DIR, "CASES");
    compareWithFile(text, kCases + "/" + name + ".expected");
}

EARWRIGHT_TEST(TstInspectStart)
#include "tst_inspect_start.moc"
