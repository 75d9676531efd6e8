#include "core/data/prepare/normalize.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

/// Transcripts as they are learnt.
class TstNormalize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void transcript_keepsLettersAndApostrophes();
    void letters_areThoseOfAnyScript_data();
    void letters_areThoseOfAnyScript();
    void digits_areThoseOfAnyScript();
};

void TstNormalize::transcript_keepsLettersAndApostrophes()
{
    QCOMPARE(data::normalizeTranscript("At the sound -- of the tone, it's  10..."),
        std::string("at the sound of the tone it's"));
    QCOMPARE(data::normalizeTranscript("L’appel: ÉCOUTÉ 'ici' à l'"),
        std::string("l'appel écouté ici à l"));
    QCOMPARE(
        data::normalizeTranscript("Ёлка. НАЖМИТЕ «решётку»…"), std::string("ёлка нажмите решётку"));
    QCOMPARE(data::normalizeTranscript("¿Dónde está, SEÑOR?"), std::string("dónde está señor"));
    QCOMPARE(data::normalizeTranscript("[--]"), std::string());
    QCOMPARE(data::normalizeTranscript("你好，世界"), std::string("你好 世界"));
}

void TstNormalize::letters_areThoseOfAnyScript_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row
        = [](const char* name, const char* language, const char* text, const char* expected) {
              QTest::newRow(name) << QString(language) << QString(text) << QString(expected);
          };
    row("Turkish", "tr", "IŞIK, İyi Izgara!", "ışık iyi ızgara");
    row("not Turkish", "en", "IT IS", "it is");
    row("Azerbaijani", "az", "Əlifba; ĞI", "əlifba ğı");
    row("Greek", "el", "ΟΔΟΣ, Άνθρωπος; ΣΑΣ·", "οδος άνθρωπος σας");
    row("Ukrainian", "uk", "Ґанок, ПʼЯТЬ! Їжак", "ґанок п'ять їжак");
    row("apostrophes as they are typed", "uk", "п'ять п’ять п‘ять п´ять п`ять",
        "п'ять п'ять п'ять п'ять п'ять");
    row("quotes", "en", "‘Yes’ ``no'' `so´", "yes no so");
    row("a letter at a word's end", "", "a\u02BC \u02BCa", "a\u02BC \u02BCa");
    row("Uzbek", "uz", "O‘zbek tog‘, bog\u02BBi: ‘san’at’!", "o'zbek tog' bog'i san'at");
    row("Catalan", "ca", "COL·LEGI, Al·lot · l· ·l a·l", "col·legi al·lot l l a l");
    row("Kazakh", "kk", "ҚАЗАҚ Әлем – Өнер", "қазақ әлем өнер");
    row("Vietnamese", "vi", "TIẾNG Việt Ạ", "tiếng việt ạ");
    row("Czech", "cs", "ŽLUŤOUČKÝ Kůň", "žluťoučký kůň");
    row("Latvian and Slovak", "sk", "ĹŇŹ Ÿ", "ĺňź ÿ");
    row("German", "de", "GROẞ „Straße“", "groß straße");
    row("Armenian", "hy-AM", "ԲԱՐԵՎ։ Հայ՜", "բարեվ հայ");
    row("Georgian", "ka", "ᲥᲐᲠᲗᲣᲚᲘ", "ქართული");
    row("Arabic", "ar", "مَرْحَبًا، كيف حالك؟ ســلام", "مرحبا كيف حالك سلام");
    row("Urdu", "ur", "یہ ہے۔ کیا؟", "یہ ہے کیا");
    row("Persian", "fa", "می\u200Cخواهم؛\u200C نه!", "می\u200Cخواهم نه");
    row("Hebrew", "he", "שלום־עולם׃", "שלום עולם");
    row("geresh", "he", "ג׳ורג׳ בא", "ג'ורג' בא");
    row("geresh as it is typed", "he", "ג'ורג' צ’ק", "ג'ורג' צ'ק");
    row("Hebrew in quotes", "he", "אמר 'שלום' לי", "אמר שלום לי");
    row("gershayim", "he", "רשב״י, צה\"ל ומנכ”ל", "רשב״י צה״ל ומנכ״ל");
    row("Hebrew in double quotes", "he", "אמר \"שלום\" לי", "אמר שלום לי");
    row("vowelled geresh", "he", "צִ׳יפּ", "צִ'יפּ");
    row("Armenian accents", "hy", "ինչո՞ւ ոչ՛ի, դ՚Արտանյան", "ինչու ոչի դ'արտանյան");
    row("hyphenation points", "en", "syl‧la‧ble", "syllable");
    row("Mongolian vowel separator", "mn", "ᠠᠨ\u180Eᠠ", "ᠠᠨᠠ");
    row("circled letters", "en", "yes Ⓐ no", "yes no");
    row("Hindi", "hi", "हिन्दी। नमस्ते॥", "हिन्दी नमस्ते");
    row("Bengali", "bn", "র\u200D\u09CDযাব। ক\u09CD\u200Dষ\u200D",
        "র\u200D\u09CDযাব ক\u09CD\u200Dষ");
    row("Thai", "th", "ที่นี่ ๆ", "ที่นี่ ๆ");
    row("Burmese", "my", "မြန်မာ။", "မြန်မာ");
    row("Japanese", "ja", "「東京・タワー」、ＡＢ！", "東京 タワー ａｂ");
    row("Chinese", "zh-CN", "你好，世界。《书》：〇", "你好 世界 书 〇");
    row("Amharic", "am", "ሰላም፣ ዓለም።", "ሰላም ዓለም");
    row("decomposed accent", "fr", "E\u0301te\u0301!", "\u00E9t\u00E9");
    row("accent behind a soft hyphen", "fr", "e\u00AD\u0301cole", "\u00E9cole");
    row("hamza behind a tatweel", "ar", "\u0627\u0640\u0654", "\u0623");
    row("small letter that composes", "", "J\u030C", "\u01F0");
    row("dot of a decomposed capital", "tr", "I\u0307yi", "iyi");
    row("marks that compose with nothing", "hi", "\u0958\u0932\u092E", "\u0915\u093C\u0932\u092E");
    row("soft hyphen", "de", "Zu\u00ADsammen\u200E", "zusammen");
    row("emoji", "en", "Yes 😀 no", "yes no");
}

void TstNormalize::letters_areThoseOfAnyScript()
{
    QFETCH(QString, language);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(
                 data::normalizeTranscript(text.toStdString(), language.toStdString())),
        expected);
}

void TstNormalize::digits_areThoseOfAnyScript()
{
    for (const char* text : { "7", "in 1980", "٣", "۴", "१२", "１", "m²", "½", "①" })
        QVERIFY2(data::hasDigit(text), text);
    for (const char* text : { "", "seven", "七", "〇" })
        QVERIFY2(!data::hasDigit(text), text);
    QCOMPARE(data::normalizeTranscript("क १२ ख"), std::string("क ख"));
}

EARWRIGHT_TEST(TstNormalize)
#include "tst_normalize.moc"
