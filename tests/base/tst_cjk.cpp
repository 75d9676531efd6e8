#include "core/base/cjk.h"

#include "core/base/text.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

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

    void ideographs_areTheSameAsCodePoints()
    {
        for (const char32_t point : U"北𠮷か한aé，\u3000\u303f\u3040\u9fff\ua000") {
            const std::string utf8 = QString::fromUcs4(&point, 1).toStdString();
            QVERIFY2(isIdeograph(point) == isIdeograph(utf8), utf8.c_str());
        }
        QVERIFY(isIdeograph(U'北') && isIdeograph(U'𠮷') && !isIdeograph(U'한'));
    }

    void units_areIdeographsAndWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("units"); // joined by |
        QTest::newRow("Mandarin") << "今天 天气"
                                  << "今|天|天|气";
        QTest::newRow("with English") << "打开 Menu看"
                                      << "打|开|Menu|看";
        QTest::newRow("English words") << "open the menu"
                                       << "open|the|menu";
        QTest::newRow("blanks only") << " \u3000 "
                                     << "";
        QTest::newRow("empty") << ""
                               << "";
    }

    void units_areIdeographsAndWords()
    {
        QFETCH(QString, text);
        const auto units = mixedUnits(text.toStdString());
        QTEST(QString::fromStdString(join(units, "|")), "units");
    }
};

EARWRIGHT_TEST(TstCjk)
#include "tst_cjk.moc"
