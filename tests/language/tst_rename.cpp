#include "core/language/same.h"
#include "core/language/symbols.h"
#include "core/recipe/resolve.h"
#include "tests/language/case.h"
#include "tests/language/recipes.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstRename final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case_isRenamedOrRefused_data() { addRows("rename"); }
    void case_isRenamedOrRefused();
    void keys_renamedAndBack_leaveTheSameBytes_data() { addRecipeRows(); }
    void keys_renamedAndBack_leaveTheSameBytes();
    void textThatDoesNotParse_isRefused();
};

void TstRename::case_isRenamedOrRefused()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    const std::string newName = one.argument.substr(one.argument.find(' ') + 1);
    const auto edits = rename(*documentOf(one.text, file), one.caret, newName);
    std::string shown = edits ? recipe::applyFix(one.text, { "", *edits })
                              : "refused: " + edits.error().message + "\n";
    compare(one, QString::fromStdString(shown).replace(EARWRIGHT_CASES_DIR, "CASES").toStdString());
}

static recipe::NodePtr resolved(const std::string& text, const QString& file)
{
    recipe::ResolveOptions options;
    options.keepPlaceholders = true;
    return recipe::resolve(text, file.toStdString(), {}, options).root;
}

void TstRename::keys_renamedAndBack_leaveTheSameBytes()
{
    QFETCH(QString, file);
    const std::string text = *readFile(file.toStdString());
    const DocumentPtr document = documentOf(text, file);
    const recipe::NodePtr before = resolved(text, file);
    const std::vector<Symbol> symbols = outline(*document);
    // Every key of a short recipe, a part of a long one's.
    for (size_t i = 0; i < symbols.size(); i += symbols.size() / 20 + 1) {
        const std::string name = symbols[i].name;
        const recipe::Position at = symbols[i].nameSpan.begin;
        const auto edits = rename(*document, at, name + "_renamed");
        QVERIFY2(edits, edits ? "" : edits.error().message.c_str());
        const std::string after = recipe::applyFix(text, { "", *edits });
        QVERIFY2(
            isSame(*before, *resolved(after, file), { .renamed = { name, name + "_renamed" } }),
            name.c_str());
        const auto back = rename(*documentOf(after, file), at, name);
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->size(), edits->size());
        QVERIFY(recipe::applyFix(after, { "", *back }) == text);
    }
}

void TstRename::textThatDoesNotParse_isRefused()
{
    const DocumentPtr document = analyse(
        requestFor("a: 1\nb: [\n", "r.yaml"), check::Machine(), documentOf("a: 1\n", "r.yaml"));
    QVERIFY(!rename(*document, { 1, 1 }, "c"));
}

EARWRIGHT_TEST(TstRename)
#include "tst_rename.moc"
