#include <QDeadlineTimer>
#include <QTest>

#include "core/distributed/hang.h"
#include "core/distributed/watch.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <atomic>
#include <future>
#include <mutex>

using namespace earwright;
using distributed::Failure;
using distributed::Observed;
using distributed::Pulse;
using distributed::Watch;
using distributed::WatchOptions;
using earwright::tests::Ranks;

namespace {

constexpr int kPatienceMs = 60000; ///< for what takes 0.2 s, or a timeout, on an idle machine

const auto kStay = [](const Failure&) {};

/// Whether rank 0 beats twice from now on: between two beats it reads all that it reads.
bool looksTwice(c10d::Store& store)
{
    const auto count = [&store] {
        const std::string key = distributed::keys::beatOf(0);
        const auto beat = store.check({ key }) ? distributed::beatFromJson(store.get_to_str(key))
                                               : std::nullopt;
        return beat ? beat->count : 0;
    };
    const int64_t now = count();
    return QTest::qWaitFor([&] { return count() >= now + 3; }, kPatienceMs);
}

/// A rank's watch, with what it watches over.
struct Watched {
    Pulse pulse;
    Watch watch;

    Watched(const Ranks& ranks, int rank, std::function<void(const Failure&)> leave = kStay,
        const WatchOptions& options = {})
        : watch(ranks.rendezvous(rank), pulse, options, std::move(leave))
    {
    }
    static bool hasLookedTwice(const Ranks& ranks) { return looksTwice(*ranks.store()); }
};

/// The first failure a watch left for.
struct Left {
    std::mutex mutex;
    std::optional<Failure> first;

    std::function<void(const Failure&)> note()
    {
        return [this](const Failure& failure) {
            const std::lock_guard lock(mutex);
            first = first.value_or(failure);
        };
    }
    std::optional<Failure> seen()
    {
        const std::lock_guard lock(mutex);
        return first;
    }
};

} // namespace

namespace earwright::tests {

/// Where a main thread hangs in these tests; a name for its stack.
[[gnu::noinline]] void hangsHere(std::future<void>& end)
{
    end.wait();
    asm volatile(""); // no tail call: the frame stays
}

} // namespace earwright::tests

class TstWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void failure_survivesJson();
    void brokenJson_isNoFailure();
    void failureOfOneRank_makesTheOtherLeave();
    void firstFailure_wins();
    void echo_waitsForTheCause();
    void brokenCollective_isNamed();
    void stopInTheStore_isSeen();
    void checkpointRequest_isTakenOnce();
    void pauseInTheStore_isSeenUntilItGoes();
    void learningRate_isTakenOnceForEachRequest();
    void requestNobodyMade_changesNothing_data();
    void requestNobodyMade_changesNothing();
    void requestWithoutASupervisor_isNotHeeded();
    void valueThatIsNoFailure_endsNobodyAndHidesNone();
    void beatOfAnotherType_isNone();
    void storeThatEnds_isTheFailure();
    void silentPeer_isBlamedForABrokenConnection();
    void stuckMainThread_isReportedWithItsStack();
    void longWorkOnMain_isWaitedForWhileItGetsOn();
    void deadlock_isReportedToAll();
    void endRequest_isTheFailure();
};

void TstWatch::failure_survivesJson()
{
    const auto back = distributed::failureFromJson(
        distributed::failureToJson({ 2, "host", "train", 7, "out of memory \"x\"" }));
    QVERIFY(back.has_value());
    QCOMPARE(distributed::describe(*back),
        std::string("rank 2 on host failed in train at step 7: out of memory \"x\""));
}

void TstWatch::brokenJson_isNoFailure()
{
    QVERIFY(!distributed::failureFromJson("{\"rank\":").has_value());
    QVERIFY(!distributed::failureFromJson("").has_value());
}

void TstWatch::failureOfOneRank_makesTheOtherLeave()
{
    const Ranks ranks(2);
    Left left;
    const Watched bystander(ranks, 0, left.note());
    Watched failing(ranks, 1);
    failing.pulse.at("train", 12);
    failing.watch.publish("the disk is full", false);
    QTRY_VERIFY_WITH_TIMEOUT(left.seen(), kPatienceMs);
    QCOMPARE(left.seen()->rank, 1);
    QCOMPARE(left.seen()->step, 12);
    QCOMPARE(left.seen()->phase, std::string("train"));
    QCOMPARE(left.seen()->cause, std::string("the disk is full"));
}

void TstWatch::firstFailure_wins()
{
    const Ranks ranks(2);
    Watched first(ranks, 0);
    Watched second(ranks, 1);
    QCOMPARE(first.watch.publish("cause", false).cause, std::string("cause"));
    QCOMPARE(second.watch.publish("consequence", false).cause, std::string("cause"));
}

void TstWatch::echo_waitsForTheCause()
{
    const Ranks ranks(2);
    Watched victim(ranks, 0);
    Watched culprit(ranks, 1);
    Failure said;
    std::thread echo([&] { said = victim.watch.publish("Connection closed by peer", true); });
    culprit.watch.publish("killed", false);
    echo.join();
    QCOMPARE(said.cause, std::string("killed"));
}

void TstWatch::brokenCollective_isNamed()
{
    const Ranks ranks(2);
    Watched rank(ranks, 1);
    const Watched other(ranks, 0); // it lives: nobody else is to blame
    try {
        const Pulse::Wait around(rank.pulse, "the all-reduce of the gradients");
        const Pulse::Wait wait(rank.pulse, "a broadcast");
        throw std::runtime_error("NCCL error");
    } catch (const std::runtime_error& problem) {
        QCOMPARE(rank.watch.publish(problem.what(), true).cause,
            std::string("NCCL error; it waited in a broadcast"));
    }
}

void TstWatch::stopInTheStore_isSeen()
{
    const Ranks ranks(1);
    const Watched rank(ranks, 0);
    const Watch& watch = rank.watch;
    QVERIFY(!watch.stopRequested());
    ranks.store()->set(distributed::keys::kStop, std::string("1"));
    QTRY_VERIFY_WITH_TIMEOUT(watch.stopRequested(), kPatienceMs);
}

void TstWatch::checkpointRequest_isTakenOnce()
{
    const Ranks ranks(1);
    Watched rank(ranks, 0);
    Watch& watch = rank.watch;
    QVERIFY(!watch.takeCheckpointRequest());
    ranks.store()->add(distributed::keys::kCheckpoint, 1);
    bool taken = false;
    QTRY_VERIFY_WITH_TIMEOUT(
        taken = taken || watch.takeCheckpointRequest(), kPatienceMs); // evaluated more than once
    QVERIFY(!watch.takeCheckpointRequest());
}

void TstWatch::pauseInTheStore_isSeenUntilItGoes()
{
    const Ranks ranks(1);
    const Watched rank(ranks, 0);
    QVERIFY(!rank.watch.pauseRequested());
    ranks.store()->set(distributed::keys::kPause, std::string("1"));
    QTRY_VERIFY_WITH_TIMEOUT(rank.watch.pauseRequested(), kPatienceMs);
    ranks.store()->set(distributed::keys::kPause, std::string("0"));
    QTRY_VERIFY_WITH_TIMEOUT(!rank.watch.pauseRequested(), kPatienceMs);
}

void TstWatch::learningRate_isTakenOnceForEachRequest()
{
    const Ranks ranks(1);
    Watched rank(ranks, 0);
    QVERIFY(!rank.watch.takeLearningRate());
    for (const char* request : { "1 0.25", "2 0.25" }) { // the same rate may be asked for again
        ranks.store()->set(distributed::keys::kLearningRate, std::string(request));
        std::optional<double> taken;
        QTRY_VERIFY_WITH_TIMEOUT(
            (taken = taken ? taken : rank.watch.takeLearningRate()).has_value(), kPatienceMs);
        QCOMPARE(*taken, 0.25);
        QVERIFY(!rank.watch.takeLearningRate());
    }
}

/// Of another type, or beyond what it may be.
void TstWatch::requestNobodyMade_changesNothing_data()
{
    namespace keys = distributed::keys;
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("value");
    const auto row = [](const char* key, const char* value) {
        QTest::addRow("%s %s", key, value) << std::string(key) << std::string(value);
    };
    for (const char* rate : { "x y", "99 -1000", "1 nan", "1 inf", "1 0", "1 0.5x", "1e999", "1 " })
        row(keys::kLearningRate, rate);
    for (const char* count : { "notanumber", "-1", "1.5", "99999999999999999999", "" })
        row(keys::kCheckpoint, count);
    for (const char* pause : { "2", "yes", "true", "" })
        row(keys::kPause, pause);
    for (const char* stop : { "0", "yes", "" })
        row(keys::kStop, stop);
}

void TstWatch::requestNobodyMade_changesNothing()
{
    QFETCH(std::string, key);
    QFETCH(std::string, value);
    const Ranks ranks(1);
    Left left;
    Watched rank(ranks, 0, left.note());
    ranks.store()->set(key, value);
    QVERIFY(rank.hasLookedTwice(ranks));
    QVERIFY(!rank.watch.stopRequested());
    QVERIFY(!rank.watch.pauseRequested());
    QVERIFY(!rank.watch.takeCheckpointRequest());
    QVERIFY(!rank.watch.takeLearningRate());
    QVERIFY(!left.seen());
}

/// Under torchrun nobody asks over the store, and whoever reaches it may write there.
void TstWatch::requestWithoutASupervisor_isNotHeeded()
{
    const Ranks ranks(1);
    const auto server = std::move(*run::StoreServer::onNetwork("127.0.0.1", 0, "secret"));
    distributed::Rendezvous rendezvous = ranks.rendezvous(0);
    rendezvous.storeHost = distributed::StoreHost::RankZero;
    rendezvous.store = { .host = "127.0.0.1", .port = server->port(), .secret = "secret" };
    const auto store = distributed::connectToStore(rendezvous);
    for (const auto& [key, value] :
        { std::pair { distributed::keys::kStop, "1" }, { distributed::keys::kPause, "1" },
            { distributed::keys::kLearningRate, "1 99" }, { distributed::keys::kCheckpoint, "1" } })
        store->set(key, std::string(value));
    Pulse pulse;
    Watch watch(rendezvous, pulse, {}, kStay);
    QVERIFY(looksTwice(*store));
    QVERIFY(!watch.stopRequested());
    QVERIFY(!watch.pauseRequested());
    QVERIFY(!watch.takeCheckpointRequest());
    QVERIFY(!watch.takeLearningRate());
}

void TstWatch::valueThatIsNoFailure_endsNobodyAndHidesNone()
{
    const Ranks ranks(2);
    Left left;
    Watched bystander(ranks, 0, left.note());
    Watched failing(ranks, 1);
    ranks.store()->set(distributed::keys::kFailure, std::string("{\"rank\":\"one\"}"));
    QVERIFY(bystander.hasLookedTwice(ranks));
    QVERIFY(!left.seen());
    QCOMPARE(
        failing.watch.publish("the disk is full", false).cause, std::string("the disk is full"));
    QTRY_VERIFY_WITH_TIMEOUT(left.seen(), kPatienceMs);
    QCOMPARE(left.seen()->cause, std::string("the disk is full"));
}

void TstWatch::beatOfAnotherType_isNone()
{
    for (const char* text : { "", "[[[", "[]", R"({"count":"x"})", R"({"count":-1})",
             R"({"pid":1e300})", R"({"gone":1})", R"({"host":7})", R"({"exit_code":70000})",
             R"({"stuck_seconds":"nan"})", R"({"step":9223372036854775808})" })
        QVERIFY2(!distributed::beatFromJson(text), text);
    for (const char* text : { R"({"rank":-2})", R"({"rank":1e9})", R"({"step":-1})",
             R"({"cause":[]})", R"([{"rank":0}])" })
        QVERIFY2(!distributed::failureFromJson(text), text);
}

void TstWatch::storeThatEnds_isTheFailure()
{
    Ranks ranks(1);
    Left left;
    const Watched rank(ranks, 0, left.note());
    QVERIFY(rank.hasLookedTwice(ranks));
    ranks.endStore();
    QTRY_VERIFY_WITH_TIMEOUT(left.seen(), kPatienceMs);
    QVERIFY2(left.seen()->cause.starts_with("the run's store is gone, and with it its keeper ("),
        left.seen()->cause.c_str());
}

void TstWatch::silentPeer_isBlamedForABrokenConnection()
{
    const Ranks ranks(2);
    // A beat that nobody renews, as a host leaves it that was cut off.
    ranks.store()->set(distributed::keys::beatOf(1),
        distributed::beatToJson({ .count = 3, .host = "far", .phase = "train", .step = 4 }));
    Watched victim(ranks, 0);
    const Failure said = victim.watch.publish("Connection closed by peer", true);
    QCOMPARE(said.rank, 1);
    QCOMPARE(said.host, std::string("far"));
    QVERIFY2(said.cause.find("Connection closed by peer") != std::string::npos, said.cause.c_str());
}

void TstWatch::stuckMainThread_isReportedWithItsStack()
{
    const Ranks ranks(2);
    Left left;
    Watched observer(
        ranks, 0, left.note(), { .heartbeatTimeoutSeconds = 3, .observesOthers = true });
    std::promise<void> end;
    std::future<void> ended = end.get_future();
    std::thread other([&] {
        Watched hung(ranks, 1, kStay, { .heartbeatTimeoutSeconds = 3 });
        hung.pulse.at("train", 12);
        earwright::tests::hangsHere(ended);
    });
    {
        const Pulse::Wait wait(observer.pulse, "an all-reduce");
        QTRY_VERIFY_WITH_TIMEOUT(left.seen(), kPatienceMs);
    }
    end.set_value();
    other.join();
    QCOMPARE(left.seen()->rank, 1);
    QCOMPARE(left.seen()->phase, std::string("train"));
    QCOMPARE(left.seen()->step, 12);
    const std::string cause = left.seen()->cause;
    QVERIFY2(cause.find("late for an all-reduce, where rank 0 waits") != std::string::npos,
        cause.c_str());
    const std::string stack = left.seen()->detail;
    QVERIFY2(stack.starts_with("stack of rank ")
            && stack.find("stack of rank 1:\n  #0 ") != std::string::npos
            && stack.find("hangsHere") != std::string::npos,
        stack.c_str());
}

void TstWatch::longWorkOnMain_isWaitedForWhileItGetsOn()
{
    const Ranks ranks(2);
    const auto beatOf = [&](int64_t rank) {
        const std::string key = distributed::keys::beatOf(rank);
        return ranks.store()->check({ key })
            ? distributed::beatFromJson(ranks.store()->get_to_str(key))
            : std::nullopt;
    };
    std::vector<std::string> answers(2);
    std::vector<Observed> seen(2);
    const auto work = [&](int rank) {
        const auto pulse = std::make_shared<Pulse>();
        const Watch watch(ranks.rendezvous(rank), *pulse, { .observesOthers = true }, kStay);
        distributed::Group group(ranks.rendezvous(rank), c10::Device(c10::kCPU), pulse);
        answers[static_cast<size_t>(rank)] = group.runOnMain("prepare", [&] {
            const QDeadlineTimer patience(kPatienceMs);
            const auto bothAreSeen = [&] {
                return seen[0].beat && seen[1].beat
                    && seen[1].beat->waitsIn.find("prepare") != std::string::npos;
            };
            while (!bothAreSeen() && !patience.hasExpired()) {
                pulse->progress(); // one more file
                seen[0].beat = beatOf(0);
                seen[1].beat = beatOf(1);
                std::this_thread::yield();
            }
            return std::string("made");
        });
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    QCOMPARE(answers, std::vector<std::string>(2, "made"));
    QVERIFY(seen[0].beat && seen[1].beat);
    // As it stands after 100 s.
    seen[1].beat->stuckSeconds = seen[1].beat->quietSeconds = 100;
    QVERIFY(!distributed::findHang(seen, 4));
    seen[0].beat->stuckSeconds = seen[0].beat->quietSeconds = 100; // no file any more
    const auto hang = distributed::findHang(seen, 4);
    QVERIFY(hang && hang->rank == 0);
}

void TstWatch::deadlock_isReportedToAll()
{
    const Ranks ranks(2);
    std::array<Left, 2> left;
    Watched first(
        ranks, 0, left[0].note(), { .heartbeatTimeoutSeconds = 3, .observesOthers = true });
    Watched second(
        ranks, 1, left[1].note(), { .heartbeatTimeoutSeconds = 3, .observesOthers = true });
    const Pulse::Wait one(first.pulse, "an all-reduce");
    const Pulse::Wait other(second.pulse, "the barrier 'checkpoint'");
    QTRY_VERIFY_WITH_TIMEOUT(left[0].seen() && left[1].seen(), kPatienceMs);
    QCOMPARE(left[0].seen()->cause, left[1].seen()->cause);
    for (const char* where : { "rank 0 in an all-reduce", "rank 1 in the barrier 'checkpoint'" })
        QVERIFY2(
            left[0].seen()->cause.find(where) != std::string::npos, left[0].seen()->cause.c_str());
}

void TstWatch::endRequest_isTheFailure()
{
    const Ranks ranks(1);
    Left left;
    std::atomic<bool> told { false };
    WatchOptions options;
    options.endRequested = [&told] { return told.load(); };
    const Watched rank(ranks, 0, left.note(), options);
    told = true;
    QTRY_VERIFY_WITH_TIMEOUT(left.seen(), kPatienceMs);
    QVERIFY2(left.seen()->cause.find("SIGTERM") != std::string::npos, left.seen()->cause.c_str());
}

EARWRIGHT_TEST(TstWatch)
#include "tst_watch.moc"
