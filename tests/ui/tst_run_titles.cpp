#include "tests/registry.h"
#include "ui/runs/run_titles.h"

#include <QGuiApplication>
#include <QTest>

using namespace earwright::ui;

/// Names of runs where the list is too narrow for them.
class TstRunTitles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void titleWithRoom_isNotCut();
    void titlesThatDifferInTheMiddle_staySo();
    void titlesWithoutSpaces_staySo_data();
    void titlesWithoutSpaces_staySo();
    void titlesThatDifferElsewhere_areCutInTheMiddle();
    void titleThatAnotherBeginsWith_keepsItsEnd();
    void manyAlike_eachHasItsNearest();

private:
    /// As a list of these shows them, so many letters wide.
    QStringList shown(const QStringList& titles, int letters) const
    {
        const QHash<QString, qsizetype> shared = sharedBeginnings(titles);
        const int width = letters * m_metrics.averageCharWidth();
        QStringList cut;
        for (const QString& title : titles) {
            cut << cutTitle(title, shared.value(title), m_metrics, width);
            if (m_metrics.horizontalAdvance(cut.last()) > width)
                qFatal("'%s' is too wide", qPrintable(cut.last()));
        }
        return cut;
    }

    const QFontMetrics m_metrics { QGuiApplication::font() };
};

void TstRunTitles::titleWithRoom_isNotCut()
{
    const QStringList titles { QStringLiteral("ctc-a"), QStringLiteral("ctc-b") };
    QCOMPARE(shown(titles, 40), titles);
}

void TstRunTitles::titlesThatDifferInTheMiddle_staySo()
{
    for (const int letters : { 26, 22, 18, 14 }) {
        const QStringList cut
            = shown({ QStringLiteral("conformer_large_lr0.001_specaug_and_noise_v2"),
                        QStringLiteral("conformer_large_lr0.002_specaug_and_noise_v2") },
                letters);
        QVERIFY2(cut[0] != cut[1], qPrintable(cut[0]));
        QVERIFY2(cut[0].contains(QStringLiteral("lr0.001")), qPrintable(cut[0]));
    }
}

void TstRunTitles::titlesWithoutSpaces_staySo_data()
{
    QTest::addColumn<QStringList>("titles");
    QTest::addColumn<QString>("own");
    const auto row = [](const char* name, const char* begin, const char* one, const char* other,
                         const char* end) {
        const auto title = [&](const char* own) {
            return QString::fromUtf8(begin) + QString::fromUtf8(own) + QString::fromUtf8(end);
        };
        QTest::newRow(name) << QStringList { title(one), title(other) } << QString::fromUtf8(one);
    };
    row("Chinese", "普通话语音识别微调", "第一组", "第二组", "学习率较大带热词增强实验方案");
    row("mixed", "conformer语音识别微调", "第一组", "第二组", "学习率较大带热词增强实验方案");
    row("a long word", "mandarinspeechrecognition", "first", "second",
        "learningratelargewithhotwords");
    row("after a hyphen", "asr-mandarinspeechrecognition", "first", "second",
        "learningratelargewithhotwords");
    row("beyond 16 bits", "𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋", "𠂉", "𠂊", "𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋𠀋");
}

void TstRunTitles::titlesWithoutSpaces_staySo()
{
    QFETCH(QStringList, titles);
    QFETCH(QString, own);
    for (const int letters : { 26, 22, 18 }) {
        const QStringList cut = shown(titles, letters);
        QVERIFY2(cut[0] != cut[1], qPrintable(cut[0]));
        QVERIFY2(cut[0].contains(own), qPrintable(cut[0]));
        QVERIFY(cut[0].isValidUtf16() && cut[1].isValidUtf16());
    }
}

void TstRunTitles::titlesThatDifferElsewhere_areCutInTheMiddle()
{
    const QStringList early = shown({ QStringLiteral("alpha_of_the_long_recipe_name_v2"),
                                        QStringLiteral("beta_of_the_long_recipe_name_v2") },
        18);
    QVERIFY2(early[0].startsWith(QStringLiteral("alph")), qPrintable(early[0]));
    QVERIFY2(early[0].endsWith(QStringLiteral("_v2")), qPrintable(early[0]));
    const QStringList late = shown({ QStringLiteral("the_long_recipe_name_of_all_v1"),
                                       QStringLiteral("the_long_recipe_name_of_all_v2") },
        18);
    QVERIFY2(late[1].startsWith(QStringLiteral("the_")), qPrintable(late[1]));
    QVERIFY2(late[1].endsWith(QStringLiteral("_v2")), qPrintable(late[1]));
}

void TstRunTitles::titleThatAnotherBeginsWith_keepsItsEnd()
{
    const QStringList cut = shown({ QStringLiteral("the_long_recipe_name_of_all"),
                                      QStringLiteral("the_long_recipe_name_of_all_v2") },
        16);
    QVERIFY2(cut[0].endsWith(QStringLiteral("all")), qPrintable(cut[0]));
}

void TstRunTitles::manyAlike_eachHasItsNearest()
{
    const QHash<QString, qsizetype> shared
        = sharedBeginnings({ QStringLiteral("b"), QStringLiteral("run-a1"),
            QStringLiteral("run-b1"), QStringLiteral("run-a2"), QStringLiteral("run-a1") });
    QCOMPARE(shared.value(QStringLiteral("run-a1")), qsizetype { 5 });
    QCOMPARE(shared.value(QStringLiteral("run-b1")), qsizetype { 4 });
    QCOMPARE(shared.value(QStringLiteral("b")), qsizetype { 0 });
}

EARWRIGHT_TEST(TstRunTitles)
#include "tst_run_titles.moc"
