#include "core/run/costs.h"
#include "tests/registry.h"

#include <cmath>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

/// Events by their time.
class Log final {
public:
    void at(double time, const Payload& payload, int64_t rank = 0)
    {
        fold(m_snapshot, rank, { time, payload });
    }
    void starts(double time, int64_t attempt = 0, int64_t step = 0)
    {
        at(time, RunStarted { .attempt = attempt, .resumedStep = step });
    }
    void trains(double time, int64_t step) { at(time, Scalar { "train/loss", step, 1.0 }); }
    void draws(double time, int64_t step, double watts, int gpu = 0)
    {
        at(time, Scalar { "system/gpu" + std::to_string(gpu) + "_watts", step, watts }, -1);
    }
    void validates(double time, int64_t epoch, int64_t step, double wer)
    {
        at(time, Scalar { "valid/WER", step, wer });
        at(time, Evaluated { .split = "valid", .epoch = epoch, .step = step, .wer = wer });
    }
    const Snapshot& snapshot() const { return m_snapshot; }

private:
    Snapshot m_snapshot;
};

} // namespace

/// What runs take of time and energy.
class TstCosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pausesAndGaps_areNoWork()
    {
        Log log;
        log.starts(1000);
        log.trains(1010, 1);
        log.at(1010, PhaseChanged { "pause", 1, 1 });
        log.at(1030, PhaseChanged { "train", 1, 1 });
        log.trains(1040, 2);
        log.trains(1050, 3); // done anew
        QCOMPARE(workedSeconds(log.snapshot(), 1050), 30.0);
        log.starts(1100, 1, 2);
        log.trains(1105, 3);
        QCOMPARE(workedSeconds(log.snapshot(), 1105), 25.0); // 10, 10 and 5
        QCOMPARE(workedSeconds(log.snapshot(), 1020), 10.0);
        QCOMPARE(workedSeconds(log.snapshot(), 900), 0.0);
    }

    void restart_isNoWork()
    {
        Log log;
        log.starts(1000);
        log.trains(1010, 1);
        log.trains(1020, 2); // done anew
        log.at(1030, Restarting { 1, 3, "rank 1 was killed", 1, { "cpu" } }, -1);
        log.starts(1050, 1, 1);
        log.trains(1055, 2);
        QCOMPARE(workedSeconds(log.snapshot(), 1055), 15.0);
    }

    void attemptWithoutPoints_isNoWork()
    {
        Log log;
        log.starts(1000);
        log.starts(1100, 1);
        QCOMPARE(workedSeconds(log.snapshot(), 1100), 0.0);
        log.trains(1110, 1);
        QCOMPARE(workedSeconds(log.snapshot(), 1110), 10.0);
        log.starts(1200, 2, 1);
        log.starts(1300, 3, 1);
        log.trains(1305, 2);
        QCOMPARE(workedSeconds(log.snapshot(), 1305), 15.0);
    }

    void pauseThatLasts_isNoWork()
    {
        Log log;
        log.starts(1000);
        log.at(1010, PhaseChanged { "pause", 1, 1 });
        QCOMPARE(workedSeconds(log.snapshot(), 1040), 10.0);
    }

    /// 100 W until the first figure, which rises to 300 W within 10 s and stays; a second GPU has
    /// 50 W.
    void energy_isThatOfAllGpus()
    {
        Log log;
        log.starts(1000);
        log.draws(1010, 1, 100);
        log.draws(1020, 2, 300);
        QCOMPARE(spentJoules(log.snapshot(), 1020).value(), 1000.0 + 2000.0);
        QCOMPARE(spentJoules(log.snapshot(), 1025).value(), 4500.0);
        log.draws(1010, 1, 50, 1);
        QCOMPARE(spentJoules(log.snapshot(), 1020).value(), 3000.0 + 1000.0);
    }

    void energyOfAPause_isNotTheRuns()
    {
        Log log;
        log.starts(1000);
        log.draws(1010, 1, 100);
        log.at(1010, PhaseChanged { "pause", 1, 1 });
        log.at(1200, PhaseChanged { "train", 1, 1 });
        log.draws(1210, 2, 100);
        QCOMPARE(spentJoules(log.snapshot(), 1210).value(), 2000.0);
    }

    void energyBetweenAttempts_isNotTheRuns()
    {
        Log log;
        log.starts(1000);
        log.draws(1010, 1, 100);
        log.trains(1010, 1);
        log.draws(1020, 2, 100);
        log.trains(1020, 2); // done anew
        log.draws(1205, 2, 100); // before the ranks are ready
        log.starts(1210, 1, 1);
        log.draws(1215, 1, 300);
        log.trains(1220, 2);
        // 10 s of 100 W, 5 s of 200 W in the mean, 5 s of 300 W
        QCOMPARE(spentJoules(log.snapshot(), 1220).value(), 3500.0);
    }

    void energyWithGaps_isNotKnown()
    {
        Log log;
        log.starts(1000);
        QVERIFY(!spentJoules(log.snapshot(), 1010));
        log.draws(1010, 1, std::nan(""));
        QVERIFY(!spentJoules(log.snapshot(), 1010));
        log.draws(1010, 1, 100);
        QVERIFY(spentJoules(log.snapshot(), 1070));
        QVERIFY(!spentJoules(log.snapshot(), 1071));
        log.draws(1090, 2, 100);
        QVERIFY(!spentJoules(log.snapshot(), 1090));
        log.draws(1005, 1, 100, 1); // known of one alone
        QVERIFY(!spentJoules(log.snapshot(), 1090));
    }

    void errorRates_standAgainstTimeAndEnergy()
    {
        Log log;
        log.starts(1000);
        log.draws(1030, 5, 120);
        log.validates(1060, 1, 10, 40);
        log.draws(1080, 15, 120);
        log.validates(1120, 2, 20, 20);
        const std::vector<Cost> costs = validationCosts(log.snapshot());
        QCOMPARE(costs.size(), size_t(2));
        QCOMPARE(costs[0].seconds, 60.0);
        QCOMPARE(costs[1].joules.value(), 14400.0);
        QCOMPARE(costs[1].epoch, 2);
        QCOMPARE(costUntil(costs, 40)->step, 10);
        QCOMPARE(costUntil(costs, 39)->step, 20);
        QVERIFY(!costUntil(costs, 19));
        QVERIFY(!costOf(log.snapshot(), Evaluated { .split = "valid", .step = 11 }));
        QVERIFY(!costOf(log.snapshot(), Evaluated { .split = "test", .step = 20 }));
    }
};

EARWRIGHT_TEST(TstCosts)
#include "tst_costs.moc"
