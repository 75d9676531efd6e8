#include <QTest>

#include "core/engine/rank_main.h"
#include "tests/registry.h"

#include <thread>

/// OMP_NUM_THREADS was passed over: five ranks on 16 cores took 16 threads each, and stood still.
class TstRankThreads final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threads_areAsTheRecipeOrTheUserSays_data();
    void threads_areAsTheRecipeOrTheUserSays();
};

void TstRankThreads::threads_areAsTheRecipeOrTheUserSays_data()
{
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    QTest::addColumn<int64_t>("perRank");
    QTest::addColumn<int64_t>("ranksHere");
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<int>("expected");
    QTest::newRow("recipe") << int64_t { 3 } << int64_t { 2 } << QByteArray("5") << 3;
    QTest::newRow("user") << int64_t { 0 } << int64_t { 2 } << QByteArray("5") << 5;
    QTest::newRow("neither") << int64_t { 0 } << int64_t { 1 } << QByteArray() << cores;
    QTest::newRow("more ranks than cores")
        << int64_t { 0 } << int64_t { cores } + 1 << QByteArray() << 1;
    QTest::newRow("no number") << int64_t { 0 } << int64_t { 1 } << QByteArray("all") << cores;
}

void TstRankThreads::threads_areAsTheRecipeOrTheUserSays()
{
    QFETCH(int64_t, perRank);
    QFETCH(int64_t, ranksHere);
    QFETCH(QByteArray, given);
    QFETCH(int, expected);
    const QByteArray before = qgetenv("OMP_NUM_THREADS");
    given.isEmpty() ? qunsetenv("OMP_NUM_THREADS") : qputenv("OMP_NUM_THREADS", given);
    const int got = earwright::engine::threadsOf(perRank, ranksHere);
    before.isEmpty() ? qunsetenv("OMP_NUM_THREADS") : qputenv("OMP_NUM_THREADS", before);
    QCOMPARE(got, expected);
}

EARWRIGHT_TEST(TstRankThreads)
#include "tst_rank_threads.moc"
