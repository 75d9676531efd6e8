#include "core/decode/hotword_rate.h"
#include "tests/registry.h"

#include <QTest>

using earwright::decode::HotwordCount;
using earwright::decode::HotwordCounter;
using earwright::decode::mixedTokens;

class TstHotwordRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tokens_areIdeographsAndWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tokens");
        QTest::newRow("words") << "Open the  menu"
                               << "open|the|menu";
        QTest::newRow("ideographs") << QStringLiteral("打开菜单") << QStringLiteral("打|开|菜|单");
        QTest::newRow("both") << QStringLiteral("打开Menu 吧") << QStringLiteral("打|开|menu|吧");
        QTest::newRow("digits") << QStringLiteral("三D打印") << QStringLiteral("三|d|打|印");
        QTest::newRow("wide blank") << QStringLiteral("a\u3000b") << "a|b";
        QTest::newRow("nothing") << "  "
                                 << "";
    }

    void tokens_areIdeographsAndWords()
    {
        QFETCH(QString, text);
        QFETCH(QString, tokens);
        QStringList made;
        for (const std::string& token : mixedTokens(text.toStdString()))
            made << QString::fromStdString(token);
        QCOMPARE(made.join('|'), tokens);
    }

    void phrasesOfTheSamePlaces_countOnce()
    {
        HotwordCounter counter({ "Open Menu", "open  menu", "menu", "Menu" }, {});
        counter.add("open menu", "open menu");
        QCOMPARE(counter.all().spoken, 2); // as "open menu" and as "menu"
        QCOMPARE(QString::fromStdString(counter.table()).count('\n'), 3);
    }

    void table_holdsNoFormula()
    {
        HotwordCounter counter({ "=1+1" }, {});
        QVERIFY(counter.table().find("\n'=1+1\t") != std::string::npos);
    }

    void phrase_isCountedAtEachPlace_data()
    {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<QString>("hypothesis");
        QTest::addColumn<int>("spoken");
        QTest::addColumn<int>("heard");
        QTest::addColumn<int>("right");
        const auto row = [](const char* name, const char* reference, const char* hypothesis,
                             int spoken, int heard, int right) {
            QTest::newRow(name) << QString::fromUtf8(reference) << QString::fromUtf8(hypothesis)
                                << spoken << heard << right;
        };
        row("heard", "去北京吧", "去 北 京 吧", 1, 1, 1);
        row("missed", "去北京吧", "去背景吧", 1, 0, 0);
        row("made up", "去背景吧", "去北京吧", 0, 1, 0);
        row("once of two", "北京北京", "北京背景", 2, 1, 1);
        row("twice for one", "北京", "北京北京", 1, 2, 1);
        row("part of a word", "start", "art", 0, 1, 0);
        row("word of several", "the ART of", "the art", 1, 1, 1);
        row("nothing recognised", "art", "", 1, 0, 0);
    }

    void phrase_isCountedAtEachPlace()
    {
        QFETCH(QString, reference);
        QFETCH(QString, hypothesis);
        HotwordCounter counter({ "北京", "art" }, {});
        counter.add(reference.toStdString(), hypothesis.toStdString());
        QTEST(static_cast<int>(counter.all().spoken), "spoken");
        QTEST(static_cast<int>(counter.all().heard), "heard");
        QTEST(static_cast<int>(counter.all().right), "right");
    }

    void missedPhrases_areTold()
    {
        HotwordCounter counter({ "北京", "art", "Menu" }, {});
        QVERIFY(counter.add("北京北京北京 art menu", "北京 art")
            == (std::vector<std::string> { "北京", "北京", "Menu" }));
        QVERIFY(counter.add("art", "art menu").empty());
    }

    void rates_areThoseOfRetrieval()
    {
        const HotwordCount count { .spoken = 8, .heard = 5, .right = 4 };
        QCOMPARE(count.recall(), 50.0);
        QCOMPARE(count.precision(), 80.0);
        QCOMPARE(count.f1(), 2 * 50.0 * 80.0 / (50.0 + 80.0));
        QCOMPARE(HotwordCount {}.recall(), 0.0);
        QCOMPARE(HotwordCount {}.precision(), 0.0);
        QCOMPARE(HotwordCount {}.f1(), 0.0);
    }

    void figures_areThoseThatThereAre()
    {
        const auto named = [](const HotwordCount& count) {
            QStringList names;
            for (const auto& [figure, value] : count.figures())
                names << QStringLiteral("%1 %2").arg(figure).arg(value);
            return names.join(", ");
        };
        QCOMPARE(named({ .spoken = 2, .heard = 0 }), QStringLiteral("recall 0, precision 0, F1 0"));
        QCOMPARE(named({ .spoken = 0, .heard = 3 }), QStringLiteral("precision 0"));
        QCOMPARE(named({}), QString());
    }

    void unseen_areThoseOfNoTrainingText()
    {
        HotwordCounter counter({ "北京", "上海", "京北" }, { "我在北京", "上 海滩" });
        counter.add("北京上海京北", "北京京北");
        QCOMPARE(counter.all().spoken, 3);
        QCOMPARE(counter.unseen().spoken, 1);
        QCOMPARE(counter.unseen().right, 1);
        QCOMPARE(QString::fromStdString(counter.table()),
            QString::fromUtf8("hotword\tunseen\tspoken\theard\tright\n"
                              "北京\tno\t1\t1\t1\n"
                              "上海\tno\t1\t0\t0\n"
                              "京北\tyes\t1\t1\t1\n"));
    }

    void emptyPhrase_isNone()
    {
        HotwordCounter counter({ "", " ", "a" }, {});
        counter.add("a b", "");
        QCOMPARE(counter.all().spoken, 1);
    }
};

EARWRIGHT_TEST(TstHotwordRate)
#include "tst_hotword_rate.moc"
