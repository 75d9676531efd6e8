#include "tests/ui/hotword_run.h"
#include "ui/monitor/run_header.h"

#include <QLabel>

using namespace kymo;
using namespace kymo::ui;

/// The error rates over a run's plots.
class TstRunHeader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textsWithoutWords_areJudgedByCharacter();
    void tests_areShownSideBySide();
    void hotwords_areInTheTips();

private:
    const QLabel* shown(const char* figure, std::vector<run::Evaluated> evaluations)
    {
        run::Snapshot snapshot = foldRecording(QStringLiteral("digits_bf16"), 1300);
        snapshot.evaluations = std::move(evaluations);
        snapshot.checkpoints = { { "step-10", 1, 10, true }, { "step-20", 2, 20, true } };
        m_header.setSnapshot(QStringLiteral("/runs/digits"), snapshot);
        return m_header.findChild<QLabel*>(QLatin1String(figure));
    }

    RunHeader m_header;
};

void TstRunHeader::textsWithoutWords_areJudgedByCharacter()
{
    const std::vector<run::Evaluated> evaluations { { "valid", 1, 10, 0.5, 90.0, 40.0, "", "CER" },
        { "valid", 2, 20, 0.4, 95.0, 30.0, "", "CER" },
        { "test", 2, 20, 0.4, 97.0, 35.0, "", "CER" } };
    QVERIFY(shown("bestWer", evaluations)->text().startsWith(QStringLiteral("30")));
    const QLabel* test = shown("testWer", evaluations);
    QVERIFY(test->text().startsWith(QStringLiteral("35")));
    QCOMPARE(test->accessibleName(), QStringLiteral("Test CER"));
    QCOMPARE(test->toolTip(), QStringLiteral("test, epoch 2: CER 35.00 %"));
}

void TstRunHeader::tests_areShownSideBySide()
{
    const QLabel* tests = shown("testWer",
        { { "valid", 1, 10, 0.5, 90.0, 40.0, "" }, { "test-clean", 2, 20, 0.4, 3.25, 1.5, "" },
            { "test-other", 2, 20, 0.6, 7.5, 2.5, "" } });
    const QStringList rates = tests->text().split(QStringLiteral(" · "));
    QCOMPARE(rates.size(), 2);
    QVERIFY2(rates[0].startsWith(QLatin1String("3.25")), qPrintable(rates[0]));
    QVERIFY2(rates[1].startsWith(QLatin1String("7.5")), qPrintable(rates[1]));
    QVERIFY2(
        tests->toolTip().contains(QLatin1String("\ntest-other, epoch 2: WER 7.50 %, CER 2.50 %")),
        qPrintable(tests->toolTip()));
}

void TstRunHeader::hotwords_areInTheTips()
{
    m_header.setSnapshot(QStringLiteral("/runs/seaco"), foldPayloads(hotwordRun()));
    QCOMPARE(m_header.findChild<QLabel*>(QStringLiteral("testWer"))->toolTip(),
        QStringLiteral("test, epoch 4: CER 26.00 %\n"
                       "    hotwords: recall 72.50 %, precision 82.50 %, F1 77.50 %\n"
                       "    in no training text: recall 36.25 %, precision 46.25 %, F1 41.25 %"));
    const QString best = m_header.findChild<QLabel*>(QStringLiteral("bestWer"))->toolTip();
    QVERIFY2(best.contains(QStringLiteral("hotwords: recall 75.00 %")), qPrintable(best));
    QVERIFY(!shown("testWer", { { "test", 2, 20, 0.4, 97.0, 35.0, "" } })
                 ->toolTip()
                 .contains(QStringLiteral("hotwords")));
}

QTEST_MAIN(TstRunHeader)
#include "tst_run_header.moc"
