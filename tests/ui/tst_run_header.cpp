#include "tests/registry.h"
#include "tests/ui/hotword_run.h"
#include "ui/monitor/run_header.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace earwright;
using namespace earwright::ui;

/// What stands over a run's plots.
class TstRunHeader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textsWithoutWords_areJudgedByCharacter();
    void tests_areShownSideBySide();
    void hotwords_areInTheTips();
    void rateThatIsNotKnownYet_hasNoName();
    void run_isNamedAsInTheList();
    void parametersThatAreTrained_areToldApart();
    void pausedRun_hasNoSpeed();
    void elapsedTime_isThatOfTheAttempts();
    void runThatEndedEarly_canBeResumed();
    void runWithoutASetting_saysWhy();
    void narrowHeader_hasMoreRows();

private:
    const QLabel* shown(const char* figure, std::vector<run::Evaluated> evaluations)
    {
        run::Snapshot snapshot = foldRecording(QStringLiteral("digits_bf16"), 1300);
        snapshot.evaluations = std::move(evaluations);
        snapshot.checkpoints = { { "step-10", 1, 10, true }, { "step-20", 2, 20, true } };
        m_header.setSnapshot(QStringLiteral("/runs/digits"), snapshot);
        return m_header.findChild<QLabel*>(QLatin1String(figure));
    }

    QString setting() const
    {
        return m_header.findChild<QLabel*>(QStringLiteral("runSetting"))->text();
    }

    QString textOf(const char* name) const
    {
        return m_header.findChild<QLabel*>(QLatin1String(name))->text();
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
                       "    95 % interval of the CER: 21.50–30.25 %\n"
                       "    hotwords: recall 72.50 %, precision 82.50 %, F1 77.50 %\n"
                       "    in no training text: recall 36.25 %, precision 46.25 %, F1 41.25 %"));
    const QString best = m_header.findChild<QLabel*>(QStringLiteral("bestWer"))->toolTip();
    QVERIFY2(best.contains(QStringLiteral("hotwords: recall 75.00 %")), qPrintable(best));
    QVERIFY(!shown("testWer", { { "test", 2, 20, 0.4, 97.0, 35.0, "" } })
                 ->toolTip()
                 .contains(QStringLiteral("hotwords")));
}

/// Whether words or characters count is seen at the first validation.
void TstRunHeader::rateThatIsNotKnownYet_hasNoName()
{
    const auto name = [this](const char* figure, std::vector<run::Evaluated> evaluations) {
        return shown(figure, std::move(evaluations))->accessibleName();
    };
    QCOMPARE(name("bestWer", {}), QStringLiteral("Valid error rate of best"));
    QCOMPARE(name("testWer", {}), QStringLiteral("Test error rate"));
    const run::Evaluated validated { "valid", 1, 10, 0.5, 90.0, 40.0, "", "CER" };
    QCOMPARE(name("bestWer", { validated }), QStringLiteral("Valid CER of best"));
    QCOMPARE(name("testWer", { validated }), QStringLiteral("Test CER"));
}

void TstRunHeader::run_isNamedAsInTheList()
{
    run::Snapshot snapshot;
    snapshot.started.name = "paraformer";
    snapshot.started.precision = snapshot.started.evalPrecision = "fp32";
    const auto* name = m_header.findChild<QLabel*>(QStringLiteral("runName"));
    m_header.setSnapshot(QStringLiteral("/runs/para-20261121-154555"), snapshot);
    QCOMPARE(name->text(), QStringLiteral("para"));
    QCOMPARE(setting(), QStringLiteral("recipe paraformer  ·  fp32"));
    m_header.setSnapshot(QStringLiteral("/runs/paraformer-20261121-154555"), snapshot);
    QCOMPARE(name->text(), QStringLiteral("paraformer"));
    QCOMPARE(setting(), QStringLiteral("fp32"));
}

void TstRunHeader::parametersThatAreTrained_areToldApart()
{
    run::Snapshot snapshot;
    const auto settingOf = [&](int64_t parameters, int64_t trained) {
        snapshot.started.parameterCount = parameters;
        snapshot.started.trainedCount = trained;
        m_header.setSnapshot(QStringLiteral("/runs/a"), snapshot);
        return setting();
    };
    QCOMPARE(settingOf(3252737, 1152048), QStringLiteral("3.25 M parameters, 1.15 M trained"));
    QCOMPARE(settingOf(3252737, 3252737), QStringLiteral("3.25 M parameters"));
    QCOMPARE(settingOf(1152048, 0), QStringLiteral("1.15 M parameters")); // an older log
}

void TstRunHeader::pausedRun_hasNoSpeed()
{
    run::Snapshot snapshot = foldRecording(QStringLiteral("digits_bf16"), 1300);
    m_header.setSnapshot(QStringLiteral("/runs/digits"), snapshot);
    QVERIFY(textOf("speed").endsWith(QStringLiteral("it/s")));
    run::fold(snapshot, 0, { snapshot.lastTime + 1, run::PhaseChanged { "pause", 3, 100 } });
    m_header.setSnapshot(QStringLiteral("/runs/digits"), snapshot);
    QCOMPARE(textOf("runState"), QStringLiteral("paused"));
    QCOMPARE(textOf("speed"), QStringLiteral("–"));
    QCOMPARE(textOf("remaining"), QStringLiteral("–"));
    const auto* stop = m_header.findChild<QPushButton*>(QStringLiteral("stop"));
    QVERIFY(!stop->isHidden() && stop->isEnabled());
}

/// A night between two of them is none of it.
void TstRunHeader::elapsedTime_isThatOfTheAttempts()
{
    run::Snapshot snapshot;
    for (const double time : { 1000.0, 1060.0 })
        run::fold(snapshot, 0, { time, run::Message { "info", "at work" } });
    for (const double time : { 40000.0, 40005.0 })
        run::fold(snapshot, -1, { time, run::PhaseChanged { "starting" } });
    run::fold(snapshot, 0, { 40010, run::Message { "info", "at work again" } });
    m_header.setSnapshot(QStringLiteral("/runs/a"), snapshot);
    QCOMPARE(textOf("elapsed"), QStringLiteral("0:01:05"));
}

void TstRunHeader::runThatEndedEarly_canBeResumed()
{
    auto* resume = m_header.findChild<QPushButton*>(QStringLiteral("resume"));
    const QString path = QStringLiteral("/runs/digits");
    const auto isOffered = [&](run::State state, const QString& capsule = {}) {
        run::Snapshot snapshot;
        snapshot.state = state;
        m_header.setRun(path, capsule);
        m_header.setSnapshot(path, snapshot);
        return !resume->isHidden();
    };
    for (const run::State state :
        { run::State::Stopped, run::State::Interrupted, run::State::Failed })
        QVERIFY2(isOffered(state), run::stateName(state).c_str());
    for (const run::State state : { run::State::Running, run::State::Paused, run::State::Done })
        QVERIFY2(!isOffered(state), run::stateName(state).c_str());
    QVERIFY(!isOffered(run::State::Stopped, QStringLiteral("/a.earwright")));
    QSignalSpy asked(&m_header, &RunHeader::resumeRequested);
    resume->click();
    QCOMPARE(asked.count(), 1);
}

void TstRunHeader::runWithoutASetting_saysWhy()
{
    run::Snapshot snapshot;
    snapshot.state = run::State::Starting;
    m_header.setRun(QStringLiteral("/runs/a"));
    m_header.setSnapshot(QStringLiteral("/runs/a"), snapshot);
    QCOMPARE(setting(), QStringLiteral("Waiting for the run's first event…"));
    snapshot.state = run::State::Failed;
    m_header.setSnapshot(QStringLiteral("/runs/a"), snapshot);
    QCOMPARE(setting(), QStringLiteral("It ended before its ranks were ready."));
}

void TstRunHeader::narrowHeader_hasMoreRows()
{
    m_header.setSnapshot(QStringLiteral("/runs/seaco"), foldPayloads(hotwordRun()));
    m_header.show();
    int former = 0;
    for (const int width : { 1200, 420, 300 }) {
        m_header.resize(width, 400); // the least height is that of the former width
        QCoreApplication::processEvents();
        m_header.resize(width, m_header.heightForWidth(width));
        QCoreApplication::processEvents();
        QVERIFY2(m_header.height() > former,
            qPrintable(QStringLiteral("%1 high at %2").arg(m_header.height()).arg(width)));
        former = m_header.height();
        for (const char* figure : { "epoch", "step", "speed", "elapsed", "remaining", "trainLoss",
                 "bestWer", "testWer" }) {
            const auto* label = m_header.findChild<QLabel*>(QLatin1String(figure));
            const QRect place(label->mapTo(&m_header, QPoint()), label->size());
            QVERIFY2(m_header.contentsRect().contains(place), figure);
            QVERIFY2(label->width() >= label->sizeHint().width(), figure);
        }
    }
}

EARWRIGHT_TEST(TstRunHeader)
#include "tst_run_header.moc"
