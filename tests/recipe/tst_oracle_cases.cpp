// cases/recipe/oracle/x.yaml resolved by us and, in x.resolved, by HyperPyYAML (write_resolved.py).
#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "tests/recipe/tree_comparison.h"
#include "tests/registry.h"

#include <filesystem>
#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

namespace {

const std::filesystem::path kOracleCases
    = std::filesystem::path(EARWRIGHT_CASES_DIR) / "recipe/oracle";

std::string firstMessage(const Resolved& resolved, const std::string& text)
{
    for (const Diagnostic& diagnostic : resolved.diagnostics) {
        if (diagnostic.severity == Severity::Error)
            return formatDiagnostic(diagnostic, text);
    }
    return "";
}

} // namespace

class TstOracleCases final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_resolvesAsUpstreamDoes_data();
    void recipe_resolvesAsUpstreamDoes();
};

void TstOracleCases::recipe_resolvesAsUpstreamDoes_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "arithmetic", "includes", "objects", "references", "scalars" })
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TstOracleCases::recipe_resolvesAsUpstreamDoes()
{
    QFETCH(QString, name);
    const std::filesystem::path path = kOracleCases / (name.toStdString() + ".yaml");
    const std::string text = *readFile(path);
    const Resolved actual = resolve(text, path.string(), {});
    QVERIFY2(firstMessage(actual, text).empty(), firstMessage(actual, text).c_str());
    const std::string golden = *readFile(kOracleCases / (name.toStdString() + ".resolved"));
    const Resolved expected = resolve(golden, "resolved", {});
    QVERIFY2(expected.diagnostics.empty(), firstMessage(expected, golden).c_str());
    const std::string difference = firstDifference(*actual.root, *expected.root);
    QVERIFY2(difference.empty(), difference.c_str());
    const std::string emitted = emitYaml(*actual.root);
    const Resolved again = resolve(emitted, "again", {});
    QVERIFY2(again.diagnostics.empty(), firstMessage(again, emitted).c_str());
    const std::string lost = firstDifference(*again.root, *expected.root);
    QVERIFY2(lost.empty(), ("written and read again: " + lost).c_str());
}

EARWRIGHT_TEST(TstOracleCases)
#include "tst_oracle_cases.moc"
