#include <QTest>

#include "core/distributed/run_store.h"
#include "core/run/store_server.h"
#include "tests/registry.h"

#include <future>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

using namespace earwright;
using distributed::RunStore;
using std::chrono::milliseconds;

namespace {

using Bytes = std::vector<uint8_t>;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

constexpr auto kShort = milliseconds(50);

StorePtr tcpStore()
{
    c10d::TCPStoreOptions options;
    options.port = 0;
    options.isServer = true;
    options.waitWorkers = false;
    return c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
}

/// What LibTorch's stores and ours say to the same questions, in order.
class Story final {
public:
    explicit Story(c10d::Store& store)
        : m_store(store)
    {
    }
    std::vector<std::string> lines;

    void say(const std::string& line) { lines.push_back(line); }
    void say(const std::string& what, const Bytes& bytes)
    {
        say(what + " " + std::string(bytes.begin(), bytes.end()));
    }
    /// The kind of error, for whoever catches one.
    void expectTimeout(const std::string& what, const std::function<void()>& question)
    {
        try {
            question();
            say(what + " answered");
        } catch (const c10::DistStoreError& problem) {
            const std::string text = problem.what_without_backtrace();
            say(what + (text.find("wait timeout") == 0 ? " timed out" : " failed: " + text));
        }
    }
    void tell();

private:
    c10d::Store& m_store;
};

void Story::tell()
{
    const Bytes any { 0, 255, 10, 0 };
    say("missing " + std::to_string(m_store.check({ "a" })));
    m_store.set("a", std::string("1"));
    m_store.set("a", std::string("2"));
    m_store.set("empty", std::string());
    m_store.set("bytes", any);
    say("a", m_store.get("a"));
    say("empty", m_store.get("empty"));
    say("bytes", m_store.get("bytes"));
    say("there " + std::to_string(m_store.check({ "a", "empty" })));
    say("not all " + std::to_string(m_store.check({ "a", "b" })));
    say("none asked " + std::to_string(m_store.check({})));
    say("keys " + std::to_string(m_store.getNumKeys()));
    say("add " + std::to_string(m_store.add("n", 0)) + std::to_string(m_store.add("n", 5))
        + std::to_string(m_store.add("n", -7)) + std::to_string(m_store.add("a", 40)));
    say("n " + m_store.get_to_str("n"));
    say("deleted " + std::to_string(m_store.deleteKey("n"))
        + std::to_string(m_store.deleteKey("n")));
    say("set first " + m_store.compareSet("c", std::string(), std::string("x")));
    say("another " + m_store.compareSet("c", std::string("y"), std::string("z")));
    say("the same " + m_store.compareSet("c", std::string("x"), std::string("z")));
    say("missing " + m_store.compareSet("m", std::string("y"), std::string("z")) + " "
        + std::to_string(m_store.check({ "m" })));
    say("empty " + m_store.compareSet("empty", std::string(), std::string("full")));
    m_store.append("p", any);
    m_store.append("p", { 'q' });
    say("p", m_store.get("p"));
    m_store.multiSet({ "x", "y" }, { { '1' }, { '2' } });
    for (const Bytes& value : m_store.multiGet({ "y", "x", "a" }))
        say("value", value);
    say("extended " + std::to_string(m_store.hasExtendedApi()));
    say("keys " + std::to_string(m_store.getNumKeys()));
    m_store.wait({ "x", "y" });
    m_store.wait({ "x" }, kShort);
    expectTimeout("wait", [&] { m_store.wait({ "x", "nobody" }, kShort); });
    m_store.setTimeout(kShort);
    expectTimeout("get", [&] { m_store.get("nobody"); });
    expectTimeout("plain wait", [&] { m_store.wait({ "nobody" }); });
    expectTimeout("get of many", [&] { m_store.multiGet({ "x", "nobody" }); });
    say("timeout " + std::to_string(m_store.getTimeout().count()));
    say("still there", m_store.get("x"));
}

} // namespace

/// To LibTorch it is what TCPStore is.
class TstRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyQuestion_isAnsweredAsByTcpStore();
    void prefixed_isAnsweredAsByTcpStore();
    void waiting_endsWhenAnotherClientSetsTheKey();
    void clone_isAnotherConnection();
    void longValue_survives();
    void whatIsNoNumber_isNotAddedTo();
    void overTheNetwork_isTheSame();
    void serverThatEnds_isToldAtOnce();
    void noServer_isToldAtOnce();

private:
    std::unique_ptr<run::StoreServer> m_server = std::move(*run::StoreServer::onThisHost());
    run::StoreAddress address() const { return { .socket = m_server->socketPath() }; }
};

void TstRunStore::everyQuestion_isAnsweredAsByTcpStore()
{
    const StorePtr theirs = tcpStore();
    Story expected(*theirs);
    expected.tell();
    RunStore ours(address());
    Story found(ours);
    found.tell();
    QCOMPARE(found.lines, expected.lines);
    QVERIFY(found.lines.size() > 20);
}

void TstRunStore::prefixed_isAnsweredAsByTcpStore()
{
    c10d::PrefixStore theirs("attempt_0", tcpStore());
    Story expected(theirs);
    expected.tell();
    const auto server = std::move(*run::StoreServer::onThisHost());
    c10d::PrefixStore ours("attempt_0",
        c10::make_intrusive<RunStore>(run::StoreAddress { .socket = server->socketPath() }));
    Story found(ours);
    found.tell();
    QCOMPARE(found.lines, expected.lines);
}

void TstRunStore::waiting_endsWhenAnotherClientSetsTheKey()
{
    RunStore waiting(address());
    RunStore setting(address());
    auto value = std::async(std::launch::async, [&] { return waiting.get_to_str("late/2"); });
    setting.set("late/1", std::string("not this"));
    setting.append("late/2", { 'v' });
    QCOMPARE(value.get(), std::string("v"));
    // A timeout of none is none.
    auto done = std::async(
        std::launch::async, [&] { waiting.wait({ "late/3" }, c10d::Store::kNoTimeout); });
    setting.add("late/3", 1);
    done.get();
}

void TstRunStore::clone_isAnotherConnection()
{
    RunStore store(address());
    store.setTimeout(milliseconds(1234));
    const auto copy = store.clone();
    QCOMPARE(copy->getTimeout().count(), 1234);
    auto value = std::async(std::launch::async, [&] { return store.get_to_str("cloned"); });
    copy->set("cloned", std::string("v")); // would wait behind the other on one connection
    QCOMPARE(value.get(), std::string("v"));
}

void TstRunStore::longValue_survives()
{
    RunStore store(address());
    Bytes value(9'000'000);
    for (size_t i = 0; i < value.size(); ++i)
        value[i] = static_cast<uint8_t>(i * i % 251);
    store.set("long", value);
    QVERIFY(store.get("long") == value);
    try {
        store.set("longer", Bytes(run::kMostStoreBytes));
        QFAIL("too long a value was sent");
    } catch (const c10::Error& problem) {
        QVERIFY(QString(problem.what()).contains("bytes is too long for the run's store"));
    }
    QVERIFY(store.get("long") == value);
}

void TstRunStore::whatIsNoNumber_isNotAddedTo()
{
    RunStore store(address());
    store.set("text", std::string("notanumber"));
    store.set("most", std::to_string(std::numeric_limits<int64_t>::max()));
    for (const char* key : { "text", "most" }) {
        try {
            store.add(key, 1);
            QFAIL("something was added");
        } catch (const c10::DistStoreError& problem) {
            QVERIFY2(
                QString(problem.what_without_backtrace())
                    .startsWith(QString("nothing can be added to '%1': its value is ").arg(key)),
                problem.what());
        }
    }
    QCOMPARE(store.get_to_str("text"), std::string("notanumber"));
}

void TstRunStore::overTheNetwork_isTheSame()
{
    const auto server = std::move(*run::StoreServer::onNetwork("127.0.0.1", 0, "secret"));
    RunStore ours({ .host = "127.0.0.1", .port = server->port(), .secret = "secret" });
    Story found(ours);
    found.tell();
    const auto other = std::move(*run::StoreServer::onThisHost());
    RunStore local({ .socket = other->socketPath() });
    Story expected(local);
    expected.tell();
    QCOMPARE(found.lines, expected.lines);
}

void TstRunStore::serverThatEnds_isToldAtOnce()
{
    auto server = std::move(*run::StoreServer::onThisHost());
    RunStore store({ .socket = server->socketPath() });
    std::promise<void> waits;
    auto said = std::async(std::launch::async, [&]() -> std::string {
        try {
            store.set("here", std::string());
            waits.set_value();
            store.get("never");
            return "answered";
        } catch (const c10::DistNetworkError& problem) {
            return problem.what_without_backtrace();
        }
    });
    waits.get_future().wait();
    const QString path = QString::fromStdString(server->socketPath());
    server.reset();
    QCOMPARE(QString::fromStdString(said.get()),
        QString("the run's store at %1 is gone: its server closed the socket").arg(path));
}

void TstRunStore::noServer_isToldAtOnce()
{
    try {
        RunStore store({ .socket = "/tmp/earwright-nobody.sock" });
        QFAIL("nobody was reached");
    } catch (const c10::DistNetworkError& problem) {
        QCOMPARE(QString(problem.what_without_backtrace()),
            QString("the run's store at /tmp/earwright-nobody.sock cannot be reached: No such file "
                    "or directory"));
    }
}

EARWRIGHT_TEST(TstRunStore)
#include "tst_run_store.moc"
