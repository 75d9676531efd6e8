// Real recipes, resolved by HyperPyYAML itself and by us. EARWRIGHT_RECIPES_DIR names a folder with
// upstream/ (the recipes), resolved/ (what HyperPyYAML made of each), overrides.json (what each was
// given) and errors.json (what it refused).
#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "tests/recipe/tree_comparison.h"
#include "tests/registry.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <QTest>

using namespace earwright;
using namespace earwright::recipe;

class TstUpstreamRecipes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void recipe_resolvesAsUpstreamDoes_data();
    void recipe_resolvesAsUpstreamDoes();
    void refusedRecipe_isRefusedForTheSameReason_data();
    void refusedRecipe_isRefusedForTheSameReason();

private:
    nlohmann::ordered_json readJson(const std::string& name) const
    {
        return nlohmann::ordered_json::parse(*readFile(m_folder / name));
    }
    std::string readText(const std::filesystem::path& name) const
    {
        return *readFile(m_folder / name);
    }
    void addRows(const nlohmann::ordered_json& files) const
    {
        QTest::addColumn<QString>("file");
        for (const auto& [file, value] : files.items())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    std::filesystem::path m_folder;
};

static std::string describe(const std::vector<Diagnostic>& diagnostics, const std::string& text)
{
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics)
        all += formatDiagnostic(diagnostic, text);
    return all;
}

void TstUpstreamRecipes::initTestCase()
{
    const QByteArray folder = qgetenv("EARWRIGHT_RECIPES_DIR");
    if (folder.isEmpty())
        QSKIP("set EARWRIGHT_RECIPES_DIR to a folder with SpeechBrain's recipes in upstream/");
    m_folder = folder.toStdString();
    QVERIFY2(readFile(m_folder / "overrides.json"), folder.constData());
}

void TstUpstreamRecipes::recipe_resolvesAsUpstreamDoes_data()
{
    addRows(readJson("overrides.json"));
}

void TstUpstreamRecipes::recipe_resolvesAsUpstreamDoes()
{
    QFETCH(QString, file);
    const std::filesystem::path name = file.toStdString();
    std::vector<Override> overrides;
    const nlohmann::ordered_json values = readJson("overrides.json")[name.string()];
    for (const auto& [key, value] : values.items()) {
        auto parsed = parseOverrides({ "--" + key + "=" + value.dump() });
        QVERIFY2(parsed, key.c_str());
        overrides.push_back((*parsed)[0]);
    }
    const std::string text = readText("upstream" / name);
    const Resolved actual = resolve(text, m_folder / "upstream" / name, overrides);
    QVERIFY2(actual.diagnostics.empty(), describe(actual.diagnostics, text).c_str());
    const std::string golden = readText("resolved" / name);
    const Resolved expected = resolve(golden, name, {});
    QVERIFY2(expected.diagnostics.empty(), describe(expected.diagnostics, golden).c_str());
    const std::string difference = firstDifference(*actual.root, *expected.root);
    QVERIFY2(difference.empty(), difference.c_str());

    const std::string emitted = emitYaml(*actual.root);
    const Resolved again = resolve(emitted, name, {});
    QVERIFY2(again.diagnostics.empty(), describe(again.diagnostics, emitted).c_str());
    const std::string lost = firstDifference(*again.root, *actual.root);
    QVERIFY2(lost.empty(), ("written and read again: " + lost).c_str());
    // As any YAML reader sees the two texts, anchors and aliases included.
    const Parsed ours = parse(emitted, name);
    const Parsed theirs = parse(golden, name);
    const std::string written = firstDifference(*ours.root, *theirs.root);
    QVERIFY2(written.empty(), ("as written: " + written).c_str());
}

void TstUpstreamRecipes::refusedRecipe_isRefusedForTheSameReason_data()
{
    addRows(readJson("errors.json"));
}

void TstUpstreamRecipes::refusedRecipe_isRefusedForTheSameReason()
{
    QFETCH(QString, file);
    const std::filesystem::path name = file.toStdString();
    const std::string upstream = readJson("errors.json")[name.string()];
    const Resolved resolved
        = resolve(readText("upstream" / name), m_folder / "upstream" / name, {});
    // Upstream: The reference "sample_rate" is not valid
    const auto isTheSame = [&](const Diagnostic& diagnostic) {
        const size_t begin = diagnostic.message.find('<') + 1;
        const std::string key
            = diagnostic.message.substr(begin, diagnostic.message.find('>') - begin);
        return diagnostic.rule == "unknown-reference"
            && upstream.find("\"" + key + "\"") != std::string::npos;
    };
    QVERIFY2(std::any_of(resolved.diagnostics.begin(), resolved.diagnostics.end(), isTheSame),
        describe(resolved.diagnostics, "").c_str());
}

EARWRIGHT_TEST(TstUpstreamRecipes)
#include "tst_upstream_recipes.moc"
