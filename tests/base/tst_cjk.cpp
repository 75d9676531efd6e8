#include "core/base/cjk.h"

#include <QTest>

using namespace kymo;

class TstCjk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void letters_areThoseWithoutBlanksBetweenWords_data()
    {
        QTest::addColumn<QString>("point");
        QTest::addColumn<bool>("isCjk");
        QTest::newRow("ideograph") << QStringLiteral("北") << true;
        QTest::newRow("beyond the basic plane") << QStringLiteral("𠮷") << true;
        QTest::newRow("kana") << QStringLiteral("か") << true;
        QTest::newRow("hangul") << QStringLiteral("한") << true;
        QTest::newRow("latin") << "a" << false;
        QTest::newRow("accented") << QStringLiteral("é") << false;
        QTest::newRow("wide sign") << QStringLiteral("，") << false;
        QTest::newRow("wide blank") << QStringLiteral("\u3000") << false;
    }

    void letters_areThoseWithoutBlanksBetweenWords()
    {
        QFETCH(QString, point);
        QTEST(isCjkLetter(point.toStdString()), "isCjk");
    }

    void sentences_haveNoWordsToCount_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<bool>("areSentences");
        QTest::newRow("Mandarin") << QStringList { "今天天气", "去北京" } << true;
        QTest::newRow("English") << QStringList { "go", "to" } << false;
        QTest::newRow("words with blanks") << QStringList { "今天 天气", "去 北京" } << false;
        QTest::newRow("a few blanks") << QStringList { "今天 天气", "去北京", "好" } << true;
        QTest::newRow("mostly Latin") << QStringList { "open the menu 好" } << false;
        QTest::newRow("nothing") << QStringList {} << false;
        QTest::newRow("empty") << QStringList { "" } << false;
    }

    void sentences_haveNoWordsToCount()
    {
        QFETCH(QStringList, texts);
        std::vector<std::string> all;
        for (const QString& text : texts)
            all.push_back(text.toStdString());
        QTEST(areCjkSentences(all), "areSentences");
    }
};

QTEST_APPLESS_MAIN(TstCjk)
#include "tst_cjk.moc"
