#include "core/run/snapshot.h"
#include "tests/registry.h"

#include <cmath>
#include <QTest>

using namespace earwright::run;

namespace {

constexpr int64_t kSupervisor = -1;

/// Folds a list of events and hands time on by a second each.
struct Teller {
    Snapshot snapshot;
    double time = 1000;

    void tell(int64_t rank, Payload payload)
    {
        fold(snapshot, rank, { time, std::move(payload) });
        time += 1;
    }
    void losses(int64_t from, int64_t to)
    {
        for (int64_t step = from; step <= to; ++step)
            tell(0, Scalar { "train/loss", step, 1.0 / double(step) });
    }
};

RunStarted started(int64_t attempt, int64_t resumedStep)
{
    return { .name = "digits",
        .numberOfEpochs = 10,
        .stepsPerEpoch = 20,
        .attempt = attempt,
        .resumedStep = resumedStep };
}

} // namespace

class TstSnapshot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void restart_isKeptAndStartsAnew()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.losses(1, 9);
        run.tell(kSupervisor, Restarting { 1, 3, "rank 1 was killed", 1, { "cpu" } });
        QVERIFY(run.snapshot.state == State::Starting);
        QCOMPARE(run.snapshot.restarts.size(), size_t { 1 });
        QCOMPARE(run.snapshot.restarts[0].devices, std::vector<std::string> { "cpu" });
        QCOMPARE(
            run.snapshot.log.back().text, std::string("restart 1 of 3 after: rank 1 was killed"));
        run.tell(0, started(1, 4));
        run.losses(5, 6);
        QCOMPARE(run.snapshot.step, int64_t { 6 });
        QVERIFY(run.snapshot.state == State::Running);
        QCOMPARE(run.snapshot.restarts.size(), size_t { 1 });
    }

    void run_goesThroughItsStates()
    {
        Teller run;
        QVERIFY(run.snapshot.state == State::Unknown);
        run.tell(kSupervisor, PhaseChanged { "starting" });
        QVERIFY(run.snapshot.state == State::Starting);
        run.tell(0, started(0, 0));
        QVERIFY(run.snapshot.state == State::Starting);
        run.tell(0, PhaseChanged { "prepare", 0, 0 });
        QVERIFY(run.snapshot.state == State::Starting);
        run.tell(0, PhaseChanged { "train", 1, 0 });
        QVERIFY(run.snapshot.state == State::Running);
        QCOMPARE(run.snapshot.epoch, int64_t { 1 });
        run.tell(kSupervisor, PhaseChanged { "stopping", 0, 0 });
        QVERIFY(run.snapshot.state == State::Stopping);
        run.losses(1, 2);
        QVERIFY(run.snapshot.state == State::Stopping);
        QCOMPARE(run.snapshot.phase, std::string("train"));
        run.tell(kSupervisor, Finished { "stopped", "", -1 });
        QVERIFY(run.snapshot.state == State::Stopped);
        run.losses(3, 3); // a rank's last words change nothing
        QVERIFY(run.snapshot.state == State::Stopped);
        QCOMPARE(run.snapshot.startTime, 1000.0);
        QCOMPARE(run.snapshot.lastTime, run.time - 1);
    }

    void pausedRun_isNotCalledRunning()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.tell(0, PhaseChanged { "train", 1, 0 });
        run.losses(1, 2);
        run.tell(0, PhaseChanged { "pause", 1, 2 });
        QVERIFY(run.snapshot.state == State::Paused);
        QVERIFY(isLive(run.snapshot.state) && !isFinal(run.snapshot.state));
        run.tell(0, PhaseChanged { "train", 1, 2 });
        QVERIFY(run.snapshot.state == State::Running);
        run.tell(0, PhaseChanged { "pause", 1, 2 });
        run.tell(kSupervisor, PhaseChanged { "stopping" });
        QVERIFY(run.snapshot.state == State::Stopping);
        run.tell(0, PhaseChanged { "pause", 1, 2 }); // of a rank that has not heard of it yet
        QVERIFY(run.snapshot.state == State::Stopping);
    }

    void nextAttempt_startsBeforeItsRanks()
    {
        Teller run;
        run.tell(kSupervisor, Finished { "failed", "rank 1 was killed", 1 });
        run.tell(kSupervisor, PhaseChanged { "starting" });
        QVERIFY(run.snapshot.state == State::Starting);
        QVERIFY(run.snapshot.error.empty());
        run.tell(kSupervisor, PhaseChanged { "stopping" });
        run.tell(0, started(1, 4)); // of a rank that has not heard of it yet
        QVERIFY(run.snapshot.state == State::Stopping);
    }

    void scalars_countFromRank0Alone()
    {
        Teller run;
        run.losses(1, 3);
        run.tell(1, Scalar { "train/loss", 4, 9 });
        run.tell(kSupervisor, Scalar { "train/loss", 5, 9 });
        QCOMPARE(run.snapshot.series.at("train/loss").points().size(), size_t { 3 });
        QCOMPARE(run.snapshot.step, int64_t { 3 });
    }

    void machinesFigures_countFromTheSupervisorAlone()
    {
        Teller run;
        run.losses(1, 3);
        run.tell(kSupervisor, Scalar { "system/cpu_percent", 2, 50 });
        run.tell(kSupervisor, Scalar { "system/cpu_percent", 2, 60 }); // the step lasts
        run.tell(kSupervisor, Scalar { "system/cpu_percent", 9, 70 });
        run.tell(1, Scalar { "system/cpu_percent", 10, 9 });
        QCOMPARE(run.snapshot.series.at("system/cpu_percent").points().size(), size_t { 3 });
        QCOMPARE(run.snapshot.step, int64_t { 3 });
        QVERIFY(run.snapshot.state == State::Running);
        // Before rank 0 tells of the attempt that goes on there. It drops nothing.
        run.tell(kSupervisor, Scalar { "system/cpu_percent", 0, 80 });
        const std::vector<Point>& points = run.snapshot.series.at("system/cpu_percent").points();
        QCOMPARE(points.size(), size_t { 4 });
        QCOMPARE(points.back().step, int64_t { 9 });
        QCOMPARE(points.back().value, 80.0);
    }

    void marks_areWhereSomebodySteppedIn()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.tell(0, PhaseChanged { "train", 1, 0 });
        run.losses(1, 4); // at 1002 … 1005
        run.tell(0, PhaseChanged { "pause", 1, 4 });
        run.tell(0, Message { "info", "learning rate set to 0.01 after step 4" });
        run.tell(1, Message { "info", "learning rate set to 0.01 after step 4" });
        run.tell(0, PhaseChanged { "pause", 1, 4 });
        run.tell(0, PhaseChanged { "train", 1, 4 }); // at 1010
        run.losses(5, 6);
        run.tell(kSupervisor, Restarting { 1, 3, "rank 1 was killed", 1, { "cpu" } });
        run.tell(0, started(1, 4));
        run.losses(5, 5);
        run.tell(kSupervisor, Finished { "stopped", "", -1 });
        run.time = 5000;
        run.tell(kSupervisor, PhaseChanged { "starting" });
        run.tell(kSupervisor, started(2, 5));
        run.tell(0, started(2, 5));
        const std::vector<Mark>& marks = run.snapshot.marks;
        QCOMPARE(marks.size(), size_t { 4 });
        const auto is = [&](size_t i, const char* kind, int64_t step, double begin, double end) {
            return marks[i].kind == kind && marks[i].step == step && marks[i].begin == begin
                && marks[i].end == end;
        };
        QVERIFY(is(0, "pause", 4, 1006, 1010));
        QVERIFY(is(1, "rate", 4, 1007, 1007));
        QCOMPARE(marks[1].detail, std::string("0.01"));
        QVERIFY(is(2, "restart", 4, 1005, 1014));
        QCOMPARE(marks[2].detail, std::string("rank 1 was killed"));
        QVERIFY(is(3, "resume", 5, 1015, 5002));
    }

    void attemptsAtTheSameStep_areMarksOfTheirOwn()
    {
        Teller run;
        run.tell(0, started(0, 0)); // at 1000
        run.tell(0, started(1, 0));
        run.tell(0, started(2, 0));
        const std::vector<Mark>& marks = run.snapshot.marks;
        QCOMPARE(marks.size(), size_t { 2 });
        for (size_t i = 0; i < marks.size(); ++i) {
            QCOMPARE(marks[i].kind, std::string("resume"));
            QCOMPARE(marks[i].begin, 1000.0);
            QCOMPARE(marks[i].end, 1001.0 + static_cast<double>(i));
        }
    }

    void marksBeyondAResume_neverHappened()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.losses(1, 20);
        run.tell(0, Message { "info", "learning rate set to 0.01 after step 18" });
        run.tell(0, Message { "info", "learning rate set to high after step" });
        run.tell(0, started(1, 10));
        QCOMPARE(run.snapshot.marks.size(), size_t { 1 });
        QCOMPARE(run.snapshot.marks[0].kind, std::string("resume"));
    }

    void nanAndInf_arePoints()
    {
        Teller run;
        run.tell(0, Scalar { "train/loss", 1, std::nan("") });
        run.tell(0, Scalar { "train/loss", 2, HUGE_VAL });
        const Series& series = run.snapshot.series.at("train/loss");
        QCOMPARE(series.points().size(), size_t { 2 });
        QCOMPARE(series.nonFiniteCount(), size_t { 2 });
    }

    void resume_dropsWhatWasLoggedBeyondItsStep_data()
    {
        QTest::addColumn<bool>("supervisorToo");
        QTest::addColumn<bool>("rank0Too");
        QTest::newRow("rank 0 announces") << false << true;
        QTest::newRow("the supervisor announces") << true << false;
        QTest::newRow("both announce") << true << true;
    }

    void resume_dropsWhatWasLoggedBeyondItsStep()
    {
        QFETCH(bool, supervisorToo);
        QFETCH(bool, rank0Too);
        Teller run;
        run.tell(0, started(0, 0));
        run.losses(1, 50);
        for (const int64_t step : { 20, 40 }) {
            run.tell(0, CheckpointSaved { "c", 1, step, false });
            run.tell(0, Evaluated { "valid", 1, step, 0, 0, 0, "" });
            run.tell(0, NonFinite { step, "loss", {}, true });
            run.tell(1, BatchSplit { step, {}, 1, 2, "", "", {} });
            run.tell(0, LossScaleChanged { step, 1024, false });
        }
        run.tell(kSupervisor, Finished { "failed", "rank 1 was killed", 1 });
        QCOMPARE(run.snapshot.error, std::string("rank 1 was killed"));
        if (supervisorToo)
            run.tell(kSupervisor, started(1, 30));
        if (rank0Too)
            run.tell(0, started(1, 30));
        QVERIFY(run.snapshot.state == State::Starting);
        QCOMPARE(run.snapshot.error, std::string());
        run.losses(31, 33);
        const std::vector<Point>& points = run.snapshot.series.at("train/loss").points();
        QCOMPARE(points.size(), size_t { 33 });
        for (size_t i = 0; i < points.size(); ++i)
            QCOMPARE(points[i].step, static_cast<int64_t>(i + 1));
        QCOMPARE(run.snapshot.checkpoints.size(), size_t { 1 });
        QCOMPARE(run.snapshot.evaluations.size(), size_t { 1 });
        QCOMPARE(run.snapshot.nonFinite.size(), size_t { 1 });
        QCOMPARE(run.snapshot.batchSplits.size(), size_t { 1 });
        QCOMPARE(run.snapshot.lossScales.size(), size_t { 1 });
        QCOMPARE(run.snapshot.step, int64_t { 33 });
        QCOMPARE(run.snapshot.startTime, 1000.0);
    }

    /// Of a run that is done: it tests again.
    void resume_testsInPlaceOfTheTestBefore()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.losses(1, 20);
        run.tell(0, Scalar { "test/WER", 20, 30 });
        run.tell(kSupervisor, Finished { "done", "", -1 });
        run.tell(0, started(1, 20));
        run.tell(0, Scalar { "test/WER", 20, 25 });
        run.tell(0, Scalar { "test/WER", 20, 26 }); // of one attempt all count
        const std::vector<Point>& points = run.snapshot.series.at("test/WER").points();
        QCOMPARE(points.size(), size_t { 2 });
        QCOMPARE(points[0].value, 25.0);
        QCOMPARE(run.snapshot.series.at("train/loss").points().size(), size_t { 20 });
    }

    void workSeconds_leaveOutTheTimeBetweenAttempts_data()
    {
        QTest::addColumn<bool>("isSupervised");
        QTest::newRow("supervised") << true;
        QTest::newRow("under another launcher") << false;
    }

    void workSeconds_leaveOutTheTimeBetweenAttempts()
    {
        QFETCH(const bool, isSupervised);
        Teller run;
        for (const int64_t attempt : { 0, 1 }) {
            const double start = run.time;
            if (isSupervised)
                run.tell(kSupervisor, PhaseChanged { "starting" });
            run.tell(0, PhaseChanged { "prepare", 1, 0 });
            run.tell(0, started(attempt, attempt * 5));
            run.tell(0, PhaseChanged { "train", 1, attempt * 5 });
            run.losses(attempt * 5 + 1, attempt * 5 + 5);
            run.time = start + 100;
            run.tell(0, PhaseChanged { "checkpoint", 1, 5 }); // and killed: no last word
            run.time += 7200;
        }
        QCOMPARE(run.snapshot.workSeconds, 200.0);
        QVERIFY(run.snapshot.lastTime - run.snapshot.startTime > 7200);
    }

    void speedAndEta_comeFromTheLatestPoints()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.tell(0, PhaseChanged { "train", 1, 0 });
        run.losses(1, 10); // a step a second
        QCOMPARE(run.snapshot.totalSteps, int64_t { 200 });
        QCOMPARE(run.snapshot.itPerSecond, 1.0);
        QCOMPARE(run.snapshot.etaSeconds, 190.0);
        run.tell(0, Scalar { "train/it_per_s", 10, 4 }); // the trainer's own figure is better
        run.tell(0, Scalar { "train/it_per_s", 11, 6 });
        run.tell(0, Scalar { "train/it_per_s", 12, std::nan("") });
        QCOMPARE(run.snapshot.itPerSecond, 5.0);
        QCOMPARE(run.snapshot.etaSeconds, 188 / 5.0);
    }

    void eta_countsTheValidationsThatAreLeft()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.tell(0, PhaseChanged { "validate", 1, 20 });
        run.time += 9; // ten seconds of validation
        run.tell(0, PhaseChanged { "train", 2, 20 });
        QCOMPARE(run.snapshot.evaluationSeconds, 10.0);
        run.tell(0, Scalar { "train/it_per_s", 20, 2 });
        QCOMPARE(run.snapshot.etaSeconds, 180 / 2.0 + 9 * 10.0);
        run.tell(0, Finished { "done", "", -1 });
        QCOMPARE(run.snapshot.etaSeconds, 0.0);
    }

    void pauseInAValidation_isNoPartOfIt()
    {
        Teller run;
        run.tell(0, started(0, 0));
        run.tell(0, PhaseChanged { "validate", 1, 20 });
        run.time += 9; // ten seconds of validation
        run.tell(0, PhaseChanged { "pause", 1, 20 });
        run.time += 999;
        run.tell(0, PhaseChanged { "validate", 1, 20 });
        run.time += 4; // five more
        run.tell(0, PhaseChanged { "train", 2, 20 });
        QCOMPARE(run.snapshot.evaluationSeconds, 15.0);
    }

    void validationPause_doesNotSlowTheSpeed()
    {
        Teller run;
        run.tell(0, PhaseChanged { "train", 1, 0 });
        run.losses(1, 5);
        run.tell(0, PhaseChanged { "validate", 1, 5 });
        run.time += 1000;
        run.tell(0, PhaseChanged { "train", 2, 5 });
        run.losses(6, 8);
        QCOMPARE(run.snapshot.itPerSecond, 1.0);
    }

    void supervisorsError_isTheOneShown()
    {
        Teller run;
        run.tell(1, Finished { "failed", "connection reset by peer", 1 });
        QVERIFY(run.snapshot.state == State::Unknown); // one rank does not end a run
        QCOMPARE(run.snapshot.error, std::string("connection reset by peer"));
        run.tell(0, Finished { "failed", "also reset", 0 });
        QCOMPARE(run.snapshot.error, std::string("connection reset by peer"));
        run.tell(kSupervisor, Finished { "failed", "rank 2 was killed", 2 });
        QCOMPARE(run.snapshot.error, std::string("rank 2 was killed"));
        QVERIFY(run.snapshot.state == State::Failed);
    }

    void messages_areKeptOfEveryRank()
    {
        Teller run;
        run.tell(0, Message { "info", "a" });
        run.tell(kSupervisor, Message { "error", "b" });
        run.tell(3, Message { "debug", "c" });
        QCOMPARE(run.snapshot.log.size(), size_t { 3 });
        QCOMPARE(run.snapshot.log[1].rank, kSupervisor);
        QCOMPARE(run.snapshot.log[2].text, std::string("c"));
        QCOMPARE(run.snapshot.log[2].wallTime, 1002.0);
    }

    void stateNames_comeBack()
    {
        for (int i = 0; i <= static_cast<int>(State::Paused); ++i)
            QCOMPARE(static_cast<int>(stateFromName(stateName(static_cast<State>(i)))), i);
        QVERIFY(stateFromName("tea") == State::Unknown);
    }
};

EARWRIGHT_TEST(TstSnapshot)
#include "tst_snapshot.moc"
