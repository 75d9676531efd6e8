#include "core/base/unspaced.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

class TstUnspaced : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whiteSpace_isPythons_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words"); // joined by |
        QTest::newRow("two blanks") << "a  bc"
                                    << "a|bc";
        QTest::newRow("blanks around") << " a bc "
                                       << "a|bc";
        QTest::newRow("tab and line ends") << "a\tb\r\nc\vd\fe"
                                           << "a|b|c|d|e";
        QTest::newRow("no-break") << QStringLiteral("a\u00a0b\u202fc") << "a|b|c";
        QTest::newRow("wide") << QStringLiteral("\u3000a\u3000b\u3000") << "a|b";
        QTest::newRow("narrow, thin and others")
            << QStringLiteral("a\u2002b\u2009c\u205fd\u1680e\u0085f\u2028g\u2029h")
            << "a|b|c|d|e|f|g|h";
        QTest::newRow("separators of ASCII") << QStringLiteral("a\u001cb\u001fc") << "a|b|c";
        QTest::newRow("without a width")
            << QStringLiteral("a\u200bb\ufeffc") << QStringLiteral("a\u200bb\ufeffc");
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("blanks alone") << QStringLiteral(" \u3000\t") << "";
    }

    void whiteSpace_isPythons()
    {
        QFETCH(QString, text);
        const auto words = splitAtWhiteSpace(text.toStdString());
        QTEST(QString::fromStdString(join(words, "|")), "words");
    }

    void brokenBytes_areNoWhiteSpace()
    {
        QCOMPARE(splitAtWhiteSpace("a\x85\xa0 b").size(), size_t(2));
    }

    void sentences_haveNoWordsToCount_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<bool>("areSentences");
        QTest::newRow("Mandarin") << QStringList { "今天天气", "去北京" } << true;
        QTest::newRow("Japanese") << QStringList { "スーパーへ行く", "ｶﾀｶﾅ" } << true;
        QTest::newRow("English") << QStringList { "go", "to" } << false;
        QTest::newRow("words with blanks") << QStringList { "今天 天气", "去 北京" } << true;
        QTest::newRow("with English") << QStringList { "打开 menu 看 一 下", "去北京" } << true;
        QTest::newRow("Korean words") << QStringList { "오늘 날씨", "서울에 가자" } << false;
        QTest::newRow("Korean without blanks") << QStringList { "오늘", "서울" } << true;
        QTest::newRow("Korean parted by wide blanks")
            << QStringList { "오늘\u3000날씨", "서울에\u3000가자" } << false;
        QTest::newRow("with long English words")
            << QStringList { "我觉得这个presentation很有意思" } << true;
        QTest::newRow("mostly Latin") << QStringList { "open the menu 好" } << false;
        QTest::newRow("Thai") << QStringList { "สวัสดีครับ", "วันนี้ อากาศดี" } << true;
        QTest::newRow("Lao") << QStringList { "ສະບາຍດີ" } << true;
        QTest::newRow("Khmer") << QStringList { "ខ្ញុំទៅសាលា" } << true;
        QTest::newRow("Myanmar") << QStringList { "မြန်မာ စကား" } << true;
        QTest::newRow("Tai Tham") << QStringList { "ᨣᩴᩣᨾᩮᩬᩥᨦ" } << true;
        QTest::newRow("Tai Le, New Tai Lue, Tai Viet, Ahom")
            << QStringList { "ᥖᥭᥰᥖᥬᥳ", "ᦅᧄᦺᦑ", "ꪼꪕꪒꪾ", "𑜒𑜑𑜪𑜨" } << true;
        QTest::newRow("Tibetan") << QStringList { "བོད་སྐད་" } << true;
        QTest::newRow("Javanese, Balinese") << QStringList { "ꦧꦱꦗꦮ", "ᬩᬲᬩᬮᬶ" } << true;
        QTest::newRow("Hindi") << QStringList { "नमस्ते दुनिया" } << false;
        QTest::newRow("Adlam, beyond the basic plane")
            << QStringList { "𞤆𞤵𞤤𞤢𞤪 𞤆𞤵𞤤𞤢𞤪" } << false;
        QTest::newRow("words between other blanks")
            << QStringList { "open\tthe\r\nmenu", "看一" } << false;
        QTest::newRow("fewer words than letters") << QStringList { " open\tit ", "看一下" } << true;
        QTest::newRow("nothing") << QStringList {} << false;
        QTest::newRow("empty") << QStringList { "" } << false;
    }

    void sentences_haveNoWordsToCount()
    {
        QFETCH(QStringList, texts);
        std::vector<std::string> all;
        for (const QString& text : texts)
            all.push_back(text.toStdString());
        QTEST(areUnspaced(all), "areSentences");
    }

    void units_areLettersWithTheirMarks_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("units"); // joined by |
        QTest::newRow("Mandarin") << "今天 天气"
                                  << "今|天|天|气";
        QTest::newRow("with English") << "打开 Menu看"
                                      << "打|开|Menu|看";
        QTest::newRow("English words") << "open the  menu"
                                       << "open|the|menu";
        QTest::newRow("Korean") << "오늘 날씨"
                                << "오|늘|날|씨";
        QTest::newRow("Thai") << "กินข้าว แล้ว"
                              << "กิ|น|ข้|า|ว|แ|ล้|ว";
        QTest::newRow("sara am") << "น้ำ"
                                 << "น้ำ";
        QTest::newRow("Thai with English") << "ไปmallนะ"
                                           << "ไ|ป|mall|น|ะ";
        QTest::newRow("Myanmar") << "မြန်မာ"
                                 << "မြ|န်|မ|ာ";
        QTest::newRow("blanks of no width") << QStringLiteral("กา\u200bดี") << "ก|า|ดี";
        QTest::newRow("kana with its mark")
            << QStringLiteral("か\u3099ー") << QStringLiteral("か\u3099|ー");
        QTest::newRow("blanks only") << QStringLiteral(" \u3000 ") << "";
        QTest::newRow("empty") << ""
                               << "";
    }

    void units_areLettersWithTheirMarks()
    {
        QFETCH(QString, text);
        const auto units = unspacedUnits(text.toStdString());
        QTEST(QString::fromStdString(join(units, "|")), "units");
    }
};

EARWRIGHT_TEST(TstUnspaced)
#include "tst_unspaced.moc"
