// A little of what the fuzz targets do at length (packaging/fuzz.sh), the same texts in each run:
// recipes with a few changes never crash, and what resolves can be written and read again.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/check/check.h"
#include "tests/fuzz/recipe_properties.h"
#include "tests/registry.h"

#include <filesystem>
#include <QTest>
#include <random>

using namespace earwright;

namespace {

using Random = std::mt19937;

size_t below(Random& random, size_t end)
{
    return end == 0 ? 0 : random() % end;
}

std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::filesystem::path> paths;
    const auto seeds = std::filesystem::path(EARWRIGHT_SOURCE_DIR) / "tests/fuzz/seeds" / folder;
    for (const auto& entry : std::filesystem::directory_iterator(seeds))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const auto& path : paths)
        texts.push_back(*readFile(path));
    return texts;
}

std::string word(Random& random)
{
    static const std::vector<std::string> words { "!ref <a>", "<a[b]>", "!copy <b>", "!new:a.B ",
        "!include:a.yaml", "<<: *x\n", "&x ", "*x", "- ", ": ", "? ", "|\n", "(1, 2)", "{", "}",
        "[", "]", "'", "\"", "#", "\n  ", "\n", "\t", "!!str ", "!PLACEHOLDER", " * 2",
        "\xe8\xaf\xad", "\xff", "%", "~", "0x1F", "---\n", ", " };
    return words[below(random, words.size())];
}

void change(std::string& text, Random& random)
{
    const size_t at = below(random, text.size());
    std::vector<std::string> lines = split(text, '\n');
    switch (below(random, 5)) {
    case 0:
        text.erase(at, 1 + below(random, 8));
        break;
    case 1:
        text.insert(at, word(random));
        break;
    case 2:
        text.replace(at, 1 + below(random, 4), word(random));
        break;
    case 3:
        std::swap(lines[below(random, lines.size())], lines[below(random, lines.size())]);
        text = join(lines, "\n");
        break;
    default:
        text.insert(at, text.substr(below(random, text.size()), below(random, 40)));
        break;
    }
}

} // namespace

class TstNearRecipes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changedRecipe_keepsTheProperties();
    void changedRecipe_canBeChecked();
};

void TstNearRecipes::changedRecipe_keepsTheProperties()
{
    size_t resolvedCount = 0;
    for (const std::string& seed : filesIn("recipe")) {
        Random random(1986); // A new seed changes nothing for the others.
        for (int i = 0; i < 200; ++i) {
            std::string text = seed;
            for (size_t changes = 1 + below(random, 2); changes > 0 && !text.empty(); --changes)
                change(text, random);
            const recipe::Resolved resolved
                = recipe::resolve(text, "x.yaml", {}, fuzz::includesOf(text));
            const std::string broken = fuzz::brokenProperty(resolved, text);
            QVERIFY2(broken.empty(), (broken + "\nfrom\n" + text).c_str());
            resolvedCount += recipe::hasErrors(resolved.diagnostics) ? 0 : 1;
        }
    }
    // Else the changes would be too wild to say anything.
    QVERIFY2(resolvedCount > 150, std::to_string(resolvedCount).c_str());
}

void TstNearRecipes::changedRecipe_canBeChecked()
{
    for (const std::string& seed : filesIn("check")) {
        Random random(1987);
        for (int i = 0; i < 40; ++i) {
            std::string text = seed;
            for (size_t changes = 1 + below(random, 3); changes > 0; --changes)
                change(text, random);
            const check::Findings findings = check::check(
                { .text = text, .fileName = "x.yaml", .overrides = {}, .checkFiles = false }, {});
            for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
                QVERIFY2(!diagnostic.message.empty(), text.c_str());
        }
    }
}

EARWRIGHT_TEST(TstNearRecipes)
#include "tst_near_recipes.moc"
