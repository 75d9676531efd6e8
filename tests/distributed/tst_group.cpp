#include <QDir>
#include <QFile>
#include <QSet>
#include <QTest>

#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <array>
#include <atomic>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

using namespace earwright;
using earwright::distributed::Group;
using earwright::distributed::StoreHost;
using earwright::tests::Ranks;

namespace {

Result<distributed::Rendezvous> rendezvousFrom(const std::map<std::string, std::string>& variables)
{
    return distributed::rendezvousFrom([&](const char* name) {
        const auto value = variables.find(name);
        return value == variables.end() ? std::nullopt : std::optional<std::string>(value->second);
    });
}

/// The addresses of this process' listening sockets, as the kernel's tables write them.
QStringList listeningAddresses()
{
    QSet<QString> mine; // inodes
    const QDir open("/proc/self/fd");
    for (const QString& descriptor : open.entryList(QDir::Files | QDir::System))
        if (const QString target = QFile::symLinkTarget(open.filePath(descriptor));
            target.contains("socket:["))
            mine.insert(target.section('[', 1).chopped(1));
    constexpr qsizetype kAddress = 1;
    constexpr qsizetype kState = 3;
    constexpr qsizetype kInode = 9;
    QStringList addresses;
    for (const char* table : { "/proc/self/net/tcp", "/proc/self/net/tcp6" }) {
        QFile file(table);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (const QString& line : QString::fromLatin1(file.readAll()).split('\n')) {
            const QStringList fields = line.split(' ', Qt::SkipEmptyParts);
            const bool listens = fields.size() > kInode && fields[kState] == "0A";
            if (listens && mine.contains(fields[kInode]))
                addresses.append(fields[kAddress].section(':', 0, 0));
        }
    }
    return addresses;
}

/// 127.0.0.0/8 or ::1, each word of an address in the machine's order of bytes.
bool isLoopback(const QString& address)
{
    return (address.size() == 8 && address.endsWith("7F"))
        || address == "00000000000000000000000001000000";
}

} // namespace

class TstGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupOfOne_changesNothing_data();
    void groupOfOne_changesNothing();
    void groupOverTorchrunsStore_isTheSameCode();
    void allReduce_sumsOverRanks();
    void gatherText_keepsTheOrderOfRanks();
    void runOnMain_runsOnceAndTellsAll();
    void errorOnMain_isThrownOnEveryRank();
    void errorThatIsNoUtf8_isToldWithMarks();
    void garbledAnswer_isAnErrorInWords_data();
    void garbledAnswer_isAnErrorInWords();
    void barrier_holdsAllUntilTheLastComes();
    void differentBarriers_areNamedOnEveryRank();
    void otherBarrier_isRefusedWhileMainStillWorks();
    void manyBarriers_doNotMixUp();
    void oncePerHost_runsOnEachHostsFirstRank();
    void errorOfOneHost_isThrownOnEveryRank();
    void ranksOfOneHost_listenOnTheLoopbackOnly();
    void rendezvous_readsTorchrunsEnvironment();
    void rendezvous_readsASupervisorsSocket();
    void rendezvous_fallsBackToSlurm();
    void rendezvous_readsOpenMpi();
    void rendezvous_namesTheMissingVariable();
};

void TstGroup::groupOfOne_changesNothing_data()
{
    QTest::addColumn<bool>("reducesAlone");
    QTest::newRow("at once") << false;
    QTest::newRow("by collectives") << true;
}

void TstGroup::groupOfOne_changesNothing()
{
    QFETCH(bool, reducesAlone);
    uint64_t collectives = 0;
    const auto thrown = Ranks(1).run(
        [&](Group& group) {
            torch::Tensor value = torch::tensor({ 2.0 });
            group.allReduceSum(value);
            group.broadcast(value);
            if (value.item<double>() != 2.0
                || group.gatherText("a") != std::vector<std::string> { "a" })
                throw std::runtime_error("a group of one changed a value");
            collectives = group.processGroup()
                              ->getBackend(c10::DeviceType::CPU)
                              ->getSequenceNumberForGroup();
        },
        { .reducesAlone = reducesAlone });
    QCOMPARE(thrown, std::vector<std::string> { "" });
    QCOMPARE(collectives > 0, reducesAlone);
}

/// A c10d::TCPStore, as torchrun's agent serves it.
void TstGroup::groupOverTorchrunsStore_isTheSameCode()
{
    c10d::TCPStoreOptions options;
    options.port = 0;
    options.isServer = true;
    options.waitWorkers = false;
    const auto agents = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
    Group group({ .storeHost = StoreHost::Torchrun,
                    .store = { .host = "127.0.0.1", .port = agents->getPort() } },
        c10::Device(c10::kCPU));
    QCOMPARE(group.runOnMain("work", [] { return std::string("done"); }), std::string("done"));
    QVERIFY(agents->check({ "attempt_0/earwright/barrier/0/0/answer" }));
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
    std::vector<char> isEcho(3, 0);
    const auto thrown = ranks.run([&](Group& group) {
        try {
            group.runOnMain(
                "work", []() -> std::string { throw std::runtime_error("no space left"); });
        } catch (const distributed::Echo&) {
            isEcho[static_cast<size_t>(group.rank())] = 1;
            throw;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(3, "no space left"));
    QCOMPARE(isEcho, (std::vector<char> { 0, 1, 1 })); // rank 0 is to be named
}

void TstGroup::errorThatIsNoUtf8_isToldWithMarks()
{
    const Ranks ranks(2);
    const auto thrown = ranks.run([](Group& group) {
        group.runOnMain(
            "work", []() -> std::string { throw std::runtime_error("cannot read 'caf\xe9.wav'"); });
    });
    QCOMPARE(thrown, std::vector<std::string>(2, "cannot read 'caf\ufffd.wav'"));
}

/// Of whatever wrote it to a store that torchrun serves.
void TstGroup::garbledAnswer_isAnErrorInWords_data()
{
    QTest::addColumn<std::string>("answer");
    QTest::addColumn<std::string>("reason");
    QTest::newRow("no JSON") << std::string("x") << std::string("not a JSON object: 'x'");
    QTest::newRow("no ok") << std::string("{}") << std::string("'ok' is missing");
    QTest::newRow("text") << std::string(R"({"ok":"yes"})")
                          << std::string("member 'ok' has the wrong type");
    QTest::newRow("number") << std::string(R"({"ok":true,"value":7})")
                            << std::string("member 'value' has the wrong type");
}

void TstGroup::garbledAnswer_isAnErrorInWords()
{
    QFETCH(std::string, answer);
    QFETCH(std::string, reason);
    const Ranks ranks(2);
    const auto thrown = ranks.run([&](Group& group) {
        if (group.rank() == 1)
            group.runOnMain("attempt", [] { return std::string(); });
        else
            group.store()->multiSet(
                { "earwright/barrier/0/0/answer", "earwright/barrier/0/0/name" },
                { { answer.begin(), answer.end() }, { 'a', 't', 't', 'e', 'm', 'p', 't' } });
    });
    QCOMPARE(thrown,
        (std::vector<std::string> {
            "", "what a rank tells at the barrier 'attempt' cannot be read: " + reason }));
}

void TstGroup::barrier_holdsAllUntilTheLastComes()
{
    const Ranks ranks(3);
    std::atomic<int> left { 0 };
    int leftBefore = 0;
    const auto thrown = ranks.run([&](Group& group) {
        if (group.rank() == 2) {
            // The others stand there already, and have time to leave if nothing holds them.
            group.store()->wait({ "earwright/barrier/0/0/name", "earwright/barrier/0/1/name" });
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
            while (left == 0 && std::chrono::steady_clock::now() < deadline)
                std::this_thread::yield();
            leftBefore = left;
        }
        group.barrier("start");
        left += 1;
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    QCOMPARE(leftBefore, 0);
    QCOMPARE(left.load(), 3);
}

void TstGroup::differentBarriers_areNamedOnEveryRank()
{
    const Ranks ranks(3);
    const auto thrown = ranks.run(
        [](Group& group) { group.barrier(group.rank() == 1 ? "validate" : "checkpoint"); });
    for (const std::string& text : thrown) {
        QCOMPARE(text, thrown[0]);
        QVERIFY2(text.find("rank 1 at 'validate'") != std::string::npos, text.c_str());
        QVERIFY2(text.find("at 'checkpoint'") != std::string::npos, text.c_str());
    }
}

void TstGroup::otherBarrier_isRefusedWhileMainStillWorks()
{
    const Ranks ranks(2);
    std::atomic<bool> refused { false };
    const auto thrown = ranks.run([&](Group& group) {
        if (group.rank() == 1) {
            try {
                group.barrier("validate");
            } catch (const std::exception&) {
                refused = true;
                throw;
            }
        }
        group.runOnMain("prepare", [&] {
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (!refused && std::chrono::steady_clock::now() < deadline)
                std::this_thread::yield();
            return std::string();
        });
    });
    QVERIFY(refused);
    QCOMPARE(thrown[0], thrown[1]);
    QVERIFY2(thrown[0].find("rank 0 at 'prepare', rank 1 at 'validate'") != std::string::npos,
        thrown[0].c_str());
}

void TstGroup::manyBarriers_doNotMixUp()
{
    const Ranks ranks(3);
    std::array<std::atomic<int>, 40> came {};
    std::atomic<int> tooEarly { 0 };
    const auto thrown = ranks.run([&](Group& group) {
        for (size_t i = 0; i < came.size(); ++i) {
            came[i] += 1;
            const std::string answer = group.runOnMain("round", [&] { return std::to_string(i); });
            tooEarly += came[i] == 3 && answer == std::to_string(i) ? 0 : 1;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    QCOMPARE(tooEarly.load(), 0);
}

void TstGroup::oncePerHost_runsOnEachHostsFirstRank()
{
    const Ranks ranks(4, 2);
    std::atomic<int> runs { 0 };
    std::vector<std::string> answers(4);
    const auto thrown = ranks.run([&](Group& group) {
        answers[static_cast<size_t>(group.rank())] = group.runOncePerHost("unpack", [&] {
            runs += 1;
            return "by rank " + std::to_string(group.rank());
        });
    });
    QCOMPARE(thrown, std::vector<std::string>(4));
    QCOMPARE(runs.load(), 2);
    QCOMPARE(
        answers, (std::vector<std::string> { "by rank 0", "by rank 0", "by rank 2", "by rank 2" }));
}

void TstGroup::errorOfOneHost_isThrownOnEveryRank()
{
    const Ranks ranks(4, 2);
    const auto thrown = ranks.run([](Group& group) {
        group.runOncePerHost("unpack", [&]() -> std::string {
            if (group.rank() == 2)
                throw std::runtime_error("no space left");
            return {};
        });
    });
    QCOMPARE(thrown, std::vector<std::string>(4, "rank 2: no space left"));
}

/// Gloo's connections have no secret: no other host may reach them.
void TstGroup::ranksOfOneHost_listenOnTheLoopbackOnly()
{
    const Ranks ranks(2);
    QStringList addresses;
    const auto thrown = ranks.run([&](Group& group) {
        torch::Tensor value = torch::ones({ 1 });
        group.allReduceSum(value);
        if (group.rank() == 0)
            addresses = listeningAddresses();
        group.gatherText("seen"); // until then both listen
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QVERIFY(!addresses.isEmpty());
    for (const QString& address : addresses)
        QVERIFY2(isLoopback(address), qPrintable(address));
}

void TstGroup::rendezvous_readsTorchrunsEnvironment()
{
    const std::map<std::string, std::string> variables { { "RANK", "3" }, { "LOCAL_RANK", "1" },
        { "WORLD_SIZE", "4" }, { "LOCAL_WORLD_SIZE", "2" }, { "MASTER_ADDR", "node0" },
        { "MASTER_PORT", "29500" }, { "TORCHELASTIC_USE_AGENT_STORE", "True" } };
    const auto found = rendezvousFrom(variables);
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QCOMPARE(found->rank, 3);
    QCOMPARE(found->localRank, 1);
    QCOMPARE(found->worldSize, 4);
    QCOMPARE(found->localWorldSize, 2);
    QCOMPARE(found->store.host, std::string("node0"));
    QCOMPARE(found->store.port, 29500);
    QVERIFY(found->storeHost == StoreHost::Torchrun);
}

void TstGroup::rendezvous_readsASupervisorsSocket()
{
    const std::map<std::string, std::string> variables { { "RANK", "0" }, { "WORLD_SIZE", "1" },
        { "MASTER_ADDR", "127.0.0.1" }, { "EARWRIGHT_STORE", "/tmp/a.sock" } };
    const auto found = rendezvousFrom(variables);
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QVERIFY(found->storeHost == StoreHost::Supervisor);
    QCOMPARE(found->store.socket, std::string("/tmp/a.sock"));
    QCOMPARE(found->store.name(), std::string("/tmp/a.sock"));
}

void TstGroup::rendezvous_fallsBackToSlurm()
{
    const std::map<std::string, std::string> variables { { "SLURM_PROCID", "1" },
        { "SLURM_LOCALID", "1" }, { "SLURM_NTASKS", "4" }, { "SLURM_NTASKS_PER_NODE", "2" },
        { "SLURM_NODEID", "0" }, { "SLURM_LAUNCH_NODE_IPADDR", "10.0.0.1" },
        { "MASTER_PORT", "29500" } };
    const auto found = rendezvousFrom(variables);
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QCOMPARE(found->rank, 1);
    QCOMPARE(found->localRank, 1);
    QCOMPARE(found->worldSize, 4);
    QCOMPARE(found->localWorldSize, 2);
    QCOMPARE(found->node, std::string("0"));
    QCOMPARE(found->store.host, std::string("10.0.0.1"));
    QVERIFY(found->storeHost == StoreHost::RankZero);
}

void TstGroup::rendezvous_readsOpenMpi()
{
    const std::map<std::string, std::string> variables { { "OMPI_COMM_WORLD_RANK", "3" },
        { "OMPI_COMM_WORLD_LOCAL_RANK", "1" }, { "OMPI_COMM_WORLD_SIZE", "4" },
        { "OMPI_COMM_WORLD_LOCAL_SIZE", "2" }, { "MASTER_ADDR", "node0" },
        { "MASTER_PORT", "29500" } };
    const auto found = rendezvousFrom(variables);
    QVERIFY2(bool(found), found ? "" : found.error().message.c_str());
    QCOMPARE(found->rank, 3);
    QCOMPARE(found->localRank, 1);
    QCOMPARE(found->worldSize, 4);
    QCOMPARE(found->localWorldSize, 2);
}

void TstGroup::rendezvous_namesTheMissingVariable()
{
    const auto found = distributed::rendezvousFrom([](const char*) { return std::nullopt; });
    QVERIFY(!found);
    QVERIFY2(
        found.error().message.find("RANK") != std::string::npos, found.error().message.c_str());
}

EARWRIGHT_TEST(TstGroup)
#include "tst_group.moc"
