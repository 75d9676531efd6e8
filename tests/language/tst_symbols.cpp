#include "core/language/mention.h"
#include "core/language/symbols.h"
#include "core/language/written.h"
#include "core/recipe/source.h"
#include "tests/language/case.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstSymbols final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_hasItsOutline_data() { addRows("outline"); }
    void recipe_hasItsOutline();
    void place_hasItsReferences_data() { addRows("references"); }
    void place_hasItsReferences();
    void brokenLine_keepsTheRestOfTheOutline();
    void brokenLine_keepsDefinitionsBelowIt();
    void noTextEverParsed_knowsNothing();
    void oneWord_isNoRecipe();
    void fixes_areNearestFirst();
    void placesBetweenKeys_haveNoPath();
};

static void print(const std::vector<Symbol>& symbols, const QString& file, int level, QString& text)
{
    for (const Symbol& symbol : symbols) {
        text += QString(4 * level, ' ') + QString::fromStdString(symbol.name);
        if (!symbol.detail.empty())
            text += " | " + QString::fromStdString(symbol.detail);
        text += " | " + QString::fromStdString(symbol.path) + " "
            + QString::fromStdString(textOf(symbol.nameSpan, file)) + " in "
            + QString::fromStdString(textOf(symbol.span, file)) + "\n";
        print(symbol.children, file, level + 1, text);
    }
}

void TstSymbols::recipe_hasItsOutline()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    QString text;
    print(outline(*documentOf(one.text, file)), file, 0, text);
    compare(one, text.toStdString());
}

/// The line with the span's text in brackets.
static std::string shown(const recipe::Span& span, const std::string& text, const QString& file)
{
    if (textOf(span, file).find("yaml") != std::string::npos)
        return textOf(span, file);
    const recipe::SourceText source(text);
    const size_t line = source.lineBegin(span.begin.line);
    const size_t begin = source.offset(span.begin);
    const size_t end = source.offset(span.end);
    return std::to_string(span.begin.line) + ": " + text.substr(line, begin - line) + "⟦"
        + text.substr(begin, end - begin) + "⟧" + text.substr(end, text.find('\n', end) - end);
}

/// The key that the place belongs to, or that a reference there names; "" where neither.
static std::string pathAt(const Document& document, recipe::Position at)
{
    const auto place = toTree(document, at);
    if (!place)
        return "";
    if (const auto mention = mentionAt(document, *place); mention && mention->target.entry)
        return mention->target.path;
    const Trail trail = trailAt(document, *place);
    return trail.keys.empty() ? "" : trail.keys.back().path;
}

void TstSymbols::place_hasItsReferences()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    const DocumentPtr document = documentOf(one.text, file);
    std::string text = "path: " + pathAt(*document, one.caret) + "\n";
    const auto defined = definition(*document, one.caret);
    text += "definition: " + (defined ? shown(*defined, one.text, file) : "none") + "\n";
    for (const recipe::Span& span : references(*document, one.caret))
        text += shown(span, one.text, file) + "\n";
    compare(one, text);
}

static const std::string kBefore = "a: 1\nb: !ref <a>\nc:\n    d: !ref <b>\n";

/// The caret's line is half typed and a line was added.
static DocumentPtr halfTyped()
{
    const std::string broken = "a: 1\n\nb !ref <\nc:\n    d: !ref <b>\n";
    const DocumentPtr document
        = analyse(requestFor(broken, "r.yaml"), check::Machine(), documentOf(kBefore, "r.yaml"));
    return document;
}

void TstSymbols::brokenLine_keepsTheRestOfTheOutline()
{
    const DocumentPtr document = halfTyped();
    QVERIFY(!document->isCurrent);
    const std::vector<Symbol> symbols = outline(*document);
    QCOMPARE(symbols.size(), size_t(2));
    QCOMPARE(symbols[0].name, std::string("a"));
    QCOMPARE(symbols[1].children.at(0).path, std::string("c.d"));
    QCOMPARE(symbols[1].children.at(0).nameSpan.begin.line, 5);
}

void TstSymbols::brokenLine_keepsDefinitionsBelowIt()
{
    const DocumentPtr document = halfTyped();
    QCOMPARE(pathAt(*document, { 5, 15 }), std::string("b"));
    QVERIFY(!definition(*document, { 5, 15 })); // its definition is the line being typed
    QCOMPARE(pathAt(*document, { 5, 5 }), std::string("c.d"));
    QCOMPARE(pathAt(*document, { 3, 2 }), std::string());
}

void TstSymbols::noTextEverParsed_knowsNothing()
{
    const DocumentPtr document = documentOf("a: [1, 2\n");
    QVERIFY(!document->tree);
    QVERIFY(outline(*document).empty());
    QVERIFY(!definition(*document, { 1, 1 }));
    QVERIFY(references(*document, { 1, 1 }).empty());
    QCOMPARE(pathAt(*document, { 1, 1 }), std::string());
}

void TstSymbols::oneWord_isNoRecipe()
{
    const DocumentPtr document
        = analyse(requestFor("tas", "r.yaml"), check::Machine(), documentOf(kBefore, "r.yaml"));
    QVERIFY(!document->isCurrent);
    QVERIFY(document->findings.recipe);
    QVERIFY(documentOf("")->isCurrent);
    QVERIFY(outline(*documentOf("")).empty());
}

void TstSymbols::fixes_areNearestFirst()
{
    const DocumentPtr document
        = documentOf("alpha: 1\nx: [!ref <alpho>, !ref <alphb>]\ny: !ref <alphc>\n");
    const recipe::Position at { 2, 26 };
    const auto one = fixesAt(*document, { "recipe.yaml", at, at });
    QCOMPARE(one.size(), size_t(1));
    QCOMPARE(one[0].title, std::string("Replace 'alphb' by 'alpha'"));
    const auto line = fixesAt(*document, { "recipe.yaml", { 2, 23 }, { 3, 12 } });
    QCOMPARE(line.size(), size_t(2));
    QCOMPARE(line[0].title, std::string("Replace 'alphb' by 'alpha'"));
    QVERIFY(fixesAt(*document, { "other.yaml", at, at }).empty());
}

void TstSymbols::placesBetweenKeys_haveNoPath()
{
    const DocumentPtr document = documentOf("a: 1\n\n# note\nb: 'x  y' # end\n");
    QCOMPARE(pathAt(*document, { 2, 1 }), std::string());
    QCOMPARE(pathAt(*document, { 3, 3 }), std::string());
    QCOMPARE(pathAt(*document, { 4, 6 }), std::string("b"));
}

EARWRIGHT_TEST(TstSymbols)
#include "tst_symbols.moc"
