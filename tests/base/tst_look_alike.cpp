#include "core/base/look_alike.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

class TstLookAlike final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void characters_areOfTheirKind_data();
    void characters_areOfTheirKind();
    void names_haveTheCodePoint();
    void lookAlikes_areFound_data();
    void lookAlikes_areFound();
};

void TstLookAlike::characters_areOfTheirKind_data()
{
    QTest::addColumn<quint32>("code");
    QTest::addColumn<bool>("invisible");
    QTest::addColumn<bool>("blank");
    QTest::addColumn<bool>("otherScript");
    const auto row = [](quint32 code, bool isInvisible, bool isBlank, bool isOtherScript) {
        QTest::newRow(characterName(code).c_str())
            << code << isInvisible << isBlank << isOtherScript;
    };
    for (const quint32 code : { 0xadU, 0x34fU, 0x61cU, 0x200bU, 0x200cU, 0x200dU, 0x200eU, 0x202eU,
             0x2060U, 0x2065U, 0x2066U, 0xfe0fU, 0xfeffU, 0xfff0U, 0xe0001U, 0xe0100U })
        row(code, true, false, false);
    for (const quint32 code : { 0x85U, 0xa0U, 0x1680U, 0x2002U, 0x2009U, 0x2028U, 0x2029U, 0x202fU,
             0x205fU, 0x2800U, 0x3000U })
        row(code, false, true, false);
    for (const quint32 code : { 0x430U, 0x3b1U, 0x627U, 0x4f60U, 0x1f600U })
        row(code, false, false, true);
    for (const quint32 code : { 0x20U, 0x61U, 0x31U, 0xe9U, 0xffU, 0x2013U, 0x2581U })
        row(code, false, false, false);
}

void TstLookAlike::characters_areOfTheirKind()
{
    QFETCH(quint32, code);
    QTEST(isInvisible(code), "invisible");
    QTEST(isOtherBlank(code), "blank");
    QTEST(isOfOtherScript(code), "otherScript");
}

void TstLookAlike::names_haveTheCodePoint()
{
    QCOMPARE(characterName(0xa0), std::string("U+00A0 (NO-BREAK SPACE)"));
    QCOMPARE(characterName(0x1f600), std::string("U+1F600 (GRINNING FACE)"));
}

void TstLookAlike::lookAlikes_areFound_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("ascii");
    QTest::addColumn<QString>("character");
    const auto row = [](const char16_t* text, const char* ascii, const char* character) {
        QTest::newRow(qPrintable(QString::fromUtf16(text) + ascii))
            << QString::fromUtf16(text) << ascii << character;
    };
    row(u"l\u0433", "lr", "U+0433 (CYRILLIC SMALL LETTER GHE)");
    row(u"m\u0430x", "max", "U+0430 (CYRILLIC SMALL LETTER A)");
    row(u"m\u03bfdel", "model", "U+03BF (GREEK SMALL LETTER OMICRON)");
    row(u"\uff4c\uff52", "lr", "U+FF4C (FULLWIDTH LATIN SMALL LETTER L)");
    row(u"\U0001d425r", "lr", "U+1D425 (MATHEMATICAL BOLD SMALL L)");
    row(u"n_m\u0435ls", "n_mels", "U+0435 (CYRILLIC SMALL LETTER IE)");
    row(u"lr", "lr", "");
    row(u"\u00e9poch", "epoch", "");
    row(u"m\u0430x", "min", "");
}

void TstLookAlike::lookAlikes_areFound()
{
    QFETCH(QString, text);
    QFETCH(QString, ascii);
    QFETCH(QString, character);
    QCOMPARE(
        QString::fromStdString(lookAlikeIn(text.toStdString(), ascii.toStdString())), character);
}

EARWRIGHT_TEST(TstLookAlike)
#include "tst_look_alike.moc"
