#include <QTest>

#include "core/distributed/watch.h"
#include "tests/distributed/ranks.h"

#include <atomic>

using namespace kymo;
using distributed::Failure;
using distributed::Watch;
using kymo::tests::Ranks;

namespace {

const auto kStay = [](const Failure&) {};

} // namespace

class TstWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void failure_survivesJson();
    void brokenJson_isNoFailure();
    void failureOfOneRank_makesTheOtherLeave();
    void firstFailure_wins();
    void echo_waitsForTheCause();
    void stopInTheStore_isSeen();
    void checkpointRequest_isTakenOnce();
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
    std::atomic<bool> left { false };
    Failure seen;
    Watch bystander(ranks.rendezvous(0), [&](const Failure& failure) {
        if (!left) {
            seen = failure;
            left = true;
        }
    });
    Watch failing(ranks.rendezvous(1), kStay);
    failing.at("train", 12);
    failing.publish("the disk is full", false);
    QTRY_VERIFY_WITH_TIMEOUT(left, 2000);
    QCOMPARE(seen.rank, 1);
    QCOMPARE(seen.step, 12);
    QCOMPARE(seen.cause, std::string("the disk is full"));
}

void TstWatch::firstFailure_wins()
{
    const Ranks ranks(2);
    Watch first(ranks.rendezvous(0), kStay);
    Watch second(ranks.rendezvous(1), kStay);
    QCOMPARE(first.publish("cause", false).cause, std::string("cause"));
    QCOMPARE(second.publish("consequence", false).cause, std::string("cause"));
}

void TstWatch::echo_waitsForTheCause()
{
    const Ranks ranks(2);
    Watch victim(ranks.rendezvous(0), kStay);
    Watch culprit(ranks.rendezvous(1), kStay);
    Failure said;
    std::thread echo([&] { said = victim.publish("Connection closed by peer", true); });
    culprit.publish("killed", false);
    echo.join();
    QCOMPARE(said.cause, std::string("killed"));
}

void TstWatch::stopInTheStore_isSeen()
{
    const Ranks ranks(1);
    const Watch watch(ranks.rendezvous(0), kStay);
    QVERIFY(!watch.stopRequested());
    ranks.store()->set(distributed::keys::kStop, std::string("1"));
    QTRY_VERIFY_WITH_TIMEOUT(watch.stopRequested(), 2000);
}

void TstWatch::checkpointRequest_isTakenOnce()
{
    const Ranks ranks(1);
    Watch watch(ranks.rendezvous(0), kStay);
    QVERIFY(!watch.takeCheckpointRequest());
    ranks.store()->add(distributed::keys::kCheckpoint, 1);
    bool taken = false;
    QTRY_VERIFY_WITH_TIMEOUT(
        taken = taken || watch.takeCheckpointRequest(), 2000); // evaluated more than once
    QVERIFY(!watch.takeCheckpointRequest());
}

QTEST_GUILESS_MAIN(TstWatch)
#include "tst_watch.moc"
