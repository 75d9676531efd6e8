#include "core/language/hover.h"
#include "core/recipe/override.h"
#include "tests/language/case.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstHover final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void place_hasItsHover_data() { addRows("hover"); }
    void place_hasItsHover();
    void override_isTheSource();
    void markdown_breaksLinesAndMarksTheValue();
};

void TstHover::place_hasItsHover()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    const auto found = hover(*documentOf(one.text, file), one.caret);
    std::string text = "nothing\n";
    if (found)
        text = textOf(found->span, file) + "\ntitle: " + found->title + "\nvalue: " + found->value
            + "\nsource: " + found->source + "\nhelp: " + found->help + "\n";
    compare(one, text);
}

void TstHover::override_isTheSource()
{
    check::Request request = requestFor("lr: 1\nb: !ref <lr>\n", "r.yaml");
    request.overrides = *recipe::parseOverrides({ "--lr=0.5" });
    const DocumentPtr document = analyse(request, check::Machine(), nullptr);
    for (const recipe::Position at : { recipe::Position { 1, 1 }, recipe::Position { 2, 10 } }) {
        const auto found = hover(*document, at);
        QVERIFY(found);
        QCOMPARE(found->value, std::string("0.5"));
        QCOMPARE(found->source, std::string("--lr=0.5"));
    }
}

void TstHover::markdown_breaksLinesAndMarksTheValue()
{
    const Hover one { {}, "lr: float", "0.1", "a.yaml:3", "first\nsecond" };
    QCOMPARE(
        toMarkdown(one), std::string("**lr: float** = `0.1`  \n*a.yaml:3*\n\nfirst  \nsecond"));
    QCOMPARE(toMarkdown({ {}, "lr", "", "", "" }), std::string("**lr**"));
}

EARWRIGHT_TEST(TstHover)
#include "tst_hover.moc"
