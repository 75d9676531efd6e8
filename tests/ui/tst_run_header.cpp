#include "tests/ui/recorded_run.h"
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
    QVERIFY(test->toolTip().contains(QStringLiteral("WER 97")));
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
    QVERIFY2(tests->toolTip().contains(QLatin1String("\ntest-other, epoch 2")),
        qPrintable(tests->toolTip()));
}

QTEST_MAIN(TstRunHeader)
#include "tst_run_header.moc"
