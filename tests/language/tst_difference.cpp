#include "core/language/difference.h"
#include "core/recipe/resolve.h"
#include "tests/language/case.h"
#include "tests/language/recipes.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstDifference final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pair_hasItsDifferences_data() { addRows("difference"); }
    void pair_hasItsDifferences();
    void places_areThoseOfTheTwoTexts();
    void recipe_isTheSameAsItsResolvedSelf_data() { addRecipeRows(); }
    void recipe_isTheSameAsItsResolvedSelf();
    void sharedObjects_doNotMultiply();
};

static recipe::NodePtr resolved(const std::string& text)
{
    recipe::ResolveOptions options;
    options.keepPlaceholders = true;
    return recipe::resolve(text, "recipe.yaml", {}, options).root;
}

/// The two recipes of a case stand behind one another, a line "# ==" between them.
void TstDifference::pair_hasItsDifferences()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    const size_t between = one.text.find("# ==\n");
    QVERIFY(between != std::string::npos);
    static constexpr const char* kSigns[] = { "+", "-", "~" };
    std::string text;
    for (const Difference& difference :
        differences(*resolved(one.text.substr(0, between)), *resolved(one.text.substr(between))))
        text += std::string(kSigns[static_cast<int>(difference.change)]) + " " + difference.path
            + ": " + difference.left + " | " + difference.right + "\n";
    compare(one, text);
}

void TstDifference::places_areThoseOfTheTwoTexts()
{
    const auto left = resolved("a: 1\nb: 2\n");
    const auto right = resolved("c: 3\n\nb: 4\n");
    const auto found = differences(*left, *right);
    QCOMPARE(found.size(), size_t(3));
    QCOMPARE(found[0].path, std::string("a"));
    QCOMPARE(found[0].leftSpan.begin.line, 1);
    QCOMPARE(found[0].rightSpan.begin.line, 0);
    QCOMPARE(found[1].path, std::string("b"));
    QCOMPARE(found[1].leftSpan.begin.line, 2);
    QCOMPARE(found[1].rightSpan.begin.line, 3);
    QCOMPARE(found[2].path, std::string("c"));
    QCOMPARE(found[2].rightSpan.begin.line, 1);
}

/// References followed and aliases written out make no difference.
void TstDifference::recipe_isTheSameAsItsResolvedSelf()
{
    QFETCH(QString, file);
    recipe::ResolveOptions options;
    options.keepPlaceholders = true;
    const auto root
        = recipe::resolve(*readFile(file.toStdString()), file.toStdString(), {}, options).root;
    QVERIFY(differences(*root, *recipe::deepCopy(*root)).empty());
    const auto again = resolved(recipe::emitYaml(*recipe::withoutHiddenKeys(*root)));
    for (const Difference& difference : differences(*root, *again))
        QFAIL((difference.path + ": " + difference.left + " | " + difference.right).c_str());
}

void TstDifference::sharedObjects_doNotMultiply()
{
    std::string text = "a0: {x: 1}\n";
    for (int i = 1; i < 15; ++i) { // as far as the limits of a recipe allow

        const std::string before = "!ref <a" + std::to_string(i - 1) + ">";
        text += "a" + std::to_string(i) + ": {l: " + before + ", r: " + before + "}\n";
    }
    const auto left = resolved(text);
    const auto right = resolved("a0: {x: 2}\n" + text.substr(text.find('\n') + 1));
    QVERIFY(left && right);
    const auto found = differences(*left, *right);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].path, std::string("a0.x"));
}

EARWRIGHT_TEST(TstDifference)
#include "tst_difference.moc"
