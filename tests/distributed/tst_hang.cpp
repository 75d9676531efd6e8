#include <QProcess>
#include <QTest>

#include "core/distributed/hang.h"
#include "core/distributed/watch.h"
#include "core/run/run_folder.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <algorithm>
#include <unistd.h>

using namespace earwright;
using distributed::Beat;
using distributed::Failure;
using distributed::findHang;
using distributed::Observed;

namespace {

constexpr double kTimeout = 3;

Observed busy()
{
    return { .beat = Beat { .count = 9, .host = "a", .phase = "train", .step = 7 } };
}

/// Waiting for others in `what`, for long.
Observed waiting(const std::string& what)
{
    Observed rank = busy();
    rank.beat->waitsIn = what;
    rank.beat->waits = 5;
    rank.beat->stuckSeconds = rank.beat->quietSeconds = 100;
    return rank;
}

Observed stuck(double stuckSeconds, double quietSeconds)
{
    Observed rank = busy();
    rank.beat->stuckSeconds = stuckSeconds;
    rank.beat->quietSeconds = quietSeconds;
    rank.beat->stack = "  #0 read()\n";
    return rank;
}

} // namespace

class TstHang : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksThatGetOn_doNotHang();
    void silentRank_isNamedWithWhatItIsLateFor();
    void stuckRank_isNamedWithItsStack();
    void thoseWhoWaitForAWorker_doNotHang();
    void computingRank_hasTenTimesAsLong();
    void loopInTheModel_isFoundAfterOneTimeout();
    void operators_areSignsOfLife();
    void searches_haveTheTimeOfWhatComputes();
    void diskThatKeepsAThread_isNoQuiet_data();
    void diskThatKeepsAThread_isNoQuiet();
    void ranksThatWaitForOneAnother_areADeadlock();
    void deadProcess_isFoundAtOnce();
    void processThatDied_isSeenByAllButItsParent();
    void rankThatLeft_isNotMissed();
    void rankThatLeftJustNow_mayNotHaveBeenLeftAlone();
    void rankThatNeverBegan_isMissedLater();
};

void TstHang::ranksThatGetOn_doNotHang()
{
    QVERIFY(!findHang({ busy(), busy() }, kTimeout));
    QVERIFY(!findHang({ busy(), Observed() }, kTimeout)); // still starting
}

void TstHang::silentRank_isNamedWithWhatItIsLateFor()
{
    Observed silent = busy();
    silent.silentSeconds = 3.2;
    const auto found = findHang({ waiting("a broadcast"), silent }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->phase, std::string("train"));
    QCOMPARE(found->step, 7);
    QCOMPARE(found->cause,
        std::string("no heartbeat for 3.2 s (heartbeat_timeout 3 s): its process or host is gone, "
                    "or cut off from the network; it is late for a broadcast, where rank 0 waits"));
}

void TstHang::stuckRank_isNamedWithItsStack()
{
    const auto found = findHang(
        { waiting("an all-reduce"), stuck(3.5, 3.5), waiting("an all-reduce") }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->cause,
        std::string("its main thread has not got on for 3.5 s (heartbeat_timeout 3 s); it is late "
                    "for an all-reduce, where rank 0, rank 2 wait"));
    QCOMPARE(found->detail, std::string("stack of rank 1:\n  #0 read()\n"));
}

void TstHang::thoseWhoWaitForAWorker_doNotHang()
{
    QVERIFY(!findHang({ busy(), waiting("the barrier 'inspect'") }, kTimeout));
}

void TstHang::computingRank_hasTenTimesAsLong()
{
    QVERIFY(!findHang({ stuck(29, 1), waiting("an all-reduce") }, kTimeout));
    QVERIFY(findHang({ stuck(31, 1), waiting("an all-reduce") }, kTimeout));
}

void TstHang::loopInTheModel_isFoundAfterOneTimeout()
{
    Observed looping = stuck(3.5, 0.1);
    looping.beat->idleSeconds = 3.5;
    const auto found = findHang({ waiting("an all-reduce"), looping }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->cause,
        std::string(
            "its main thread has begun no operator of the model for 3.5 s "
            "(heartbeat_timeout 3 s) but computes, as in an endless loop; it is late for an "
            "all-reduce, where rank 0 waits"));
    QVERIFY(findHang({ looping }, kTimeout)); // alone, nobody waits

    QVERIFY(!findHang({ busy(), looping }, kTimeout)); // the other one computes too
    Observed justCame = waiting("an all-reduce");
    justCame.beat->stuckSeconds = 2.5;
    QVERIFY(!findHang({ justCame, looping }, kTimeout));
    Observed slow = looping; // its operators take long, but each begins
    slow.beat->idleSeconds = 2.5;
    QVERIFY(!findHang({ waiting("an all-reduce"), slow }, kTimeout));
    Observed inIt = looping; // statistics of BatchNorm over all ranks
    inIt.beat->waitsIn = "an all-reduce";
    inIt.beat->waits = 4;
    QVERIFY(!findHang({ waiting("an all-reduce"), inIt, busy() }, kTimeout));
}

void TstHang::operators_areSignsOfLife()
{
    distributed::Pulse pulse;
    const torch::Tensor one = torch::ones({ 1 });
    QCOMPARE(pulse.beat(100).idleSeconds, 0.0); // nothing is in the model
    const distributed::Pulse::InModel inModel(pulse);
    const auto idleAfter
        = [&pulse](std::chrono::milliseconds time, const std::function<void()>& work) {
              const auto end = std::chrono::steady_clock::now() + time;
              do
                  work();
              while (std::chrono::steady_clock::now() < end);
              return pulse.beat(100).idleSeconds;
          };
    QTRY_VERIFY(idleAfter(std::chrono::milliseconds(50), [] {}) > 0.1);
    const double withOperators
        = idleAfter(std::chrono::milliseconds(50), [&one] { torch::relu(one); });
    QCOMPARE(withOperators, 0.0);
}

void TstHang::searches_haveTheTimeOfWhatComputes()
{
    distributed::Pulse pulse;
    const distributed::Pulse::WithoutOperators nowhere; // no batch is in the model
    const distributed::Pulse::InModel inModel(pulse);
    QTRY_VERIFY(pulse.beat(100).idleSeconds > 0);
    {
        const distributed::Pulse::WithoutOperators searching;
        QTRY_VERIFY(pulse.beat(100).stuckSeconds > 0.1);
        QCOMPARE(pulse.beat(100).idleSeconds, 0.0);
    }
    QVERIFY(pulse.beat(100).stuckSeconds < 0.1); // it has got on
    QTRY_VERIFY(pulse.beat(100).idleSeconds > 0);
}

void TstHang::diskThatKeepsAThread_isNoQuiet_data()
{
    QTest::addColumn<bool>("isMain");
    QTest::newRow("main thread with a batch in the model") << true;
    QTest::newRow("worker that the main thread waits for") << false;
}

/// A thread that waits for the child of its vfork() is in the state D, as one that a disk keeps.
void TstHang::diskThatKeepsAThread_isNoQuiet()
{
    QFETCH(bool, isMain);
    int end[2];
    QCOMPARE(pipe(end), 0);
    std::atomic<distributed::Pulse*> pulse { nullptr };
    const auto onDisk = [&end] {
        if (vfork() == 0) {
            char none = 0;
            _exit(read(end[0], &none, 1) == 1 ? 0 : 1);
        }
    };
    std::thread main([&] {
        distributed::Pulse mine;
        const distributed::Pulse::InModel inModel(mine);
        pulse = &mine;
        if (isMain)
            return onDisk();
        std::thread worker(onDisk);
        worker.join();
    });
    QTRY_VERIFY(pulse.load() != nullptr);
    double quiet = 0; // the most, as two looks at once take the time between them for computing
    double idle = 0;
    const auto look = [&] {
        const Beat beat = pulse.load()->beat(100);
        quiet = std::max(quiet, beat.quietSeconds);
        idle = std::max(idle, beat.idleSeconds);
        return beat.stuckSeconds > 0.5;
    };
    QTRY_VERIFY(look());
    const bool isAwake = write(end[1], "x", 1) == 1;
    main.join();
    close(end[0]);
    close(end[1]);
    QVERIFY(isAwake);
    QVERIFY2(quiet < 0.25, qPrintable(QString::number(quiet)));
    QVERIFY2(!isMain || idle < 0.25, qPrintable(QString::number(idle)));
}

void TstHang::ranksThatWaitForOneAnother_areADeadlock()
{
    Observed behind = waiting("the barrier 'end'");
    behind.beat->waits = 4;
    const auto found = findHang({ waiting("an all-reduce"), behind }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->cause,
        std::string("no rank gets on (heartbeat_timeout 3 s), they wait for one another: rank 0 in "
                    "an all-reduce, rank 1 in the barrier 'end'"));
}

void TstHang::deadProcess_isFoundAtOnce()
{
    Observed dead = busy();
    dead.beat->pid = 4711;
    dead.dead = true;
    const auto found = findHang({ busy(), dead }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QVERIFY2(found->cause.starts_with("its process 4711 has died"), found->cause.c_str());
}

void TstHang::processThatDied_isSeenByAllButItsParent()
{
    QProcess process;
    process.start("sleep", { "600" });
    QVERIFY(process.waitForStarted());
    const earwright::tests::Ranks ranks(1);
    ranks.store()->set(distributed::keys::beatOf(0),
        distributed::beatToJson({ .count = 1,
            .pid = process.processId(),
            .processStartTicks = run::processStartTicks(process.processId()),
            .host = run::hostName() }));
    distributed::HangObserver other(ranks.store(), 1, 30);
    distributed::HangObserver parent(ranks.store(), 1, 30, false);
    QVERIFY(!other.look() && !parent.look());
    process.kill();
    QVERIFY(process.waitForFinished());
    const auto found = other.look();
    QVERIFY(found.has_value());
    QVERIFY2(
        found->cause.find("has died without a word") != std::string::npos, found->cause.c_str());
    QVERIFY(!parent.look()); // it reads the exit status instead
}

void TstHang::rankThatLeft_isNotMissed()
{
    Observed left = busy();
    left.silentSeconds = 100;
    left.dead = true;
    left.gone = true;
    QVERIFY(!findHang({ busy(), left }, kTimeout));
    QVERIFY(!findHang({ left, left }, kTimeout));
}

/// Out of a barrier that they waited in together; the other's last beat is older than that.
void TstHang::rankThatLeftJustNow_mayNotHaveBeenLeftAlone()
{
    Observed left = busy();
    left.gone = true;
    left.silentSeconds = 0.2;
    QVERIFY(!findHang({ left, waiting("the barrier 'prepare'") }, kTimeout));
    left.silentSeconds = 3.2;
    QVERIFY(findHang({ left, waiting("the barrier 'prepare'") }, kTimeout));
}

void TstHang::rankThatNeverBegan_isMissedLater()
{
    Observed absent;
    absent.silentSeconds = 29;
    QVERIFY(!findHang({ busy(), absent }, kTimeout));
    absent.silentSeconds = 31;
    const auto found = findHang({ busy(), absent }, kTimeout);
    QVERIFY(found.has_value());
    QCOMPARE(found->rank, 1);
    QVERIFY2(found->cause.starts_with("it has not begun after 31.0 s"), found->cause.c_str());
}

EARWRIGHT_TEST(TstHang)
#include "tst_hang.moc"
