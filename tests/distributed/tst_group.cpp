#include <QTest>

#include "tests/distributed/ranks.h"

#include <atomic>

using namespace kymo;
using kymo::distributed::Group;
using kymo::tests::Ranks;

class TstGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupOfOne_isTheSameCode();
    void allReduce_sumsOverRanks();
    void gatherText_keepsTheOrderOfRanks();
    void runOnMain_runsOnceAndTellsAll();
    void errorOnMain_isThrownOnEveryRank();
    void rendezvous_readsTorchrunsEnvironment();
    void rendezvous_fallsBackToSlurm();
    void rendezvous_namesTheMissingVariable();
};

void TstGroup::groupOfOne_isTheSameCode()
{
    const Ranks ranks(1);
    const auto thrown = ranks.run([](Group& group) {
        torch::Tensor value = torch::tensor({ 2.0 });
        group.allReduceSum(value);
        if (value.item<double>() != 2.0
            || group.gatherText("a") != std::vector<std::string> { "a" })
            throw std::runtime_error("a group of one changed a value");
    });
    QCOMPARE(thrown, std::vector<std::string> { "" });
}

void TstGroup::allReduce_sumsOverRanks()
{
    const Ranks ranks(3);
    std::atomic<double> sum { 0 };
    const auto thrown = ranks.run([&](Group& group) {
        torch::Tensor value = torch::tensor({ static_cast<double>(group.rank()) + 1 });
        group.allReduceSum(value);
        if (group.rank() == 2)
            sum = value.item<double>();
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    QCOMPARE(sum.load(), 6.0);
}

void TstGroup::gatherText_keepsTheOrderOfRanks()
{
    const Ranks ranks(3);
    std::vector<std::vector<std::string>> gathered(3);
    const auto thrown = ranks.run([&](Group& group) {
        // Different lengths, one of them empty.
        const std::string mine(static_cast<size_t>(group.rank()), 'x');
        gathered[static_cast<size_t>(group.rank())] = group.gatherText(mine);
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    for (const auto& texts : gathered)
        QCOMPARE(texts, (std::vector<std::string> { "", "x", "xx" }));
}

void TstGroup::runOnMain_runsOnceAndTellsAll()
{
    const Ranks ranks(3);
    std::atomic<int> runs { 0 };
    std::vector<std::string> answers(3);
    const auto thrown = ranks.run([&](Group& group) {
        answers[static_cast<size_t>(group.rank())] = group.runOnMain("work", [&] {
            runs += 1;
            return std::string("done by rank 0");
        });
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    QCOMPARE(runs.load(), 1);
    QCOMPARE(answers, std::vector<std::string>(3, "done by rank 0"));
}

void TstGroup::errorOnMain_isThrownOnEveryRank()
{
    const Ranks ranks(3);
    const auto thrown = ranks.run([&](Group& group) {
        group.runOnMain("work", []() -> std::string { throw std::runtime_error("no space left"); });
    });
    QCOMPARE(thrown, std::vector<std::string>(3, "no space left"));
}

void TstGroup::rendezvous_readsTorchrunsEnvironment()
{
    const std::map<std::string, std::string> variables { { "RANK", "3" }, { "LOCAL_RANK", "1" },
        { "WORLD_SIZE", "4" }, { "LOCAL_WORLD_SIZE", "2" }, { "MASTER_ADDR", "node0" },
        { "MASTER_PORT", "29500" }, { "TORCHELASTIC_USE_AGENT_STORE", "True" } };
    const auto found = distributed::rendezvousFrom([&](const char* name) {
        const auto value = variables.find(name);
        return value == variables.end() ? std::nullopt : std::optional<std::string>(value->second);
    });
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QCOMPARE(found->rank, 3);
    QCOMPARE(found->localRank, 1);
    QCOMPARE(found->worldSize, 4);
    QCOMPARE(found->localWorldSize, 2);
    QCOMPARE(found->masterAddress, std::string("node0"));
    QCOMPARE(found->masterPort, 29500);
    QVERIFY(found->storeIsElsewhere);
}

void TstGroup::rendezvous_fallsBackToSlurm()
{
    const std::map<std::string, std::string> variables { { "SLURM_PROCID", "1" },
        { "SLURM_LOCALID", "1" }, { "SLURM_NTASKS", "2" }, { "MASTER_ADDR", "node0" },
        { "MASTER_PORT", "29500" } };
    const auto found = distributed::rendezvousFrom([&](const char* name) {
        const auto value = variables.find(name);
        return value == variables.end() ? std::nullopt : std::optional<std::string>(value->second);
    });
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->worldSize, 2);
}

void TstGroup::rendezvous_namesTheMissingVariable()
{
    const auto found = distributed::rendezvousFrom([](const char*) { return std::nullopt; });
    QVERIFY(!found);
    QVERIFY2(
        found.error().message.find("RANK") != std::string::npos, found.error().message.c_str());
}

QTEST_GUILESS_MAIN(TstGroup)
#include "tst_group.moc"
