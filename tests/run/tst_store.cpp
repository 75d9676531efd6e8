#include "core/run/network_socket.h"
#include "core/run/store_client.h"
#include "core/run/store_keys.h"
#include "core/run/store_secret.h"
#include "core/run/store_server.h"
#include "core/run/unix_socket.h"
#include "tests/registry.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <poll.h>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/socket.h>
#include <sys/stat.h>

using namespace earwright;
using namespace earwright::run;
using Kind = StoreMessage::Kind;

namespace {

const std::string kSecretOfRun = "the secret of this run";
constexpr auto kLong = std::chrono::seconds(60);

std::unique_ptr<StoreServer> onNetwork()
{
    return std::move(*StoreServer::onNetwork("127.0.0.1", 0, kSecretOfRun));
}

StoreAddress addressOf(const StoreServer& server, const std::string& secret = kSecretOfRun)
{
    return server.port() > 0
        ? StoreAddress { .host = "127.0.0.1", .port = server.port(), .secret = secret }
        : StoreAddress { .socket = server.socketPath() };
}

/// A new client's answer, or what was wrong.
std::string answer(const StoreServer& server, const StoreMessage& request)
{
    Result<StoreClient> client = StoreClient::connect(addressOf(server), kLong);
    const Result<StoreMessage> said
        = client ? client->ask(request) : Result<StoreMessage>(client.error());
    if (!said)
        return said.error().message;
    std::string text = std::to_string(static_cast<int>(said->kind));
    for (const std::string& one : said->texts)
        text += " " + one;
    return text;
}

bool works(const StoreServer& server)
{
    return answer(server, { Kind::Set, { "a", "1" } }) == "0"
        && answer(server, { Kind::Get, { "0", "a" } }) == "0 1";
}

/// Who speaks it byte by byte.
Descriptor stranger(const StoreServer& server)
{
    Result<Descriptor> socket = server.port() > 0 ? connectTo("127.0.0.1", server.port())
                                                  : Result<Descriptor>(Error { "" });
    if (socket)
        return std::move(*socket);
    Descriptor local(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = unixAddress(server.socketPath());
    ::connect(local.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address));
    return local;
}

bool say(const Descriptor& socket, const std::string& bytes)
{
    return ::send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == std::ssize(bytes);
}

/// All that it says until it hangs up.
std::string heardToTheEnd(const Descriptor& socket)
{
    std::string all;
    char bytes[4096];
    for (ssize_t count; (count = ::recv(socket.fd(), bytes, sizeof(bytes), 0)) > 0;)
        all.append(bytes, static_cast<size_t>(count));
    return all;
}

bool isHungUpOn(const Descriptor& socket)
{
    pollfd entry { socket.fd(), POLLIN, 0 };
    char byte = 0;
    return ::poll(&entry, 1, 0) == 1 && ::recv(socket.fd(), &byte, 1, MSG_PEEK) <= 0;
}

std::ptrdiff_t openDescriptors()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
        std::filesystem::directory_iterator());
}

/// All that this process may have, until the end of the list's life.
std::vector<Descriptor> allDescriptors()
{
    std::vector<Descriptor> taken;
    while (taken.empty() || taken.back())
        taken.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return taken;
}

} // namespace

/// What a stranger, or nobody, may do to the store of a run's ranks.
class TstStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void socket_isForItsUserOnly();
    void network_isListenedToAtItsAddressAlone();
    void ranks_meetOnBothWays_data() { servers(); }
    void ranks_meetOnBothWays();
    void otherSecret_isToldAtOnce();
    void otherProgramAtThePort_isToldAtOnce();
    void strangersWords_endTheirConnectionAlone_data();
    void strangersWords_endTheirConnectionAlone();
    void brokenMessage_endsItsConnectionAlone_data();
    void brokenMessage_endsItsConnectionAlone();
    void oddRequest_isRefusedInWords_data();
    void oddRequest_isRefusedInWords();
    void thousandStrangersThatSayNothing_holdUpNobody();
    void strangerThatSaysNothing_isHungUpOn();
    void serverWithoutDescriptors_refusesAndRecovers();
    void clientThatReadsNothing_holdsUpNobody();
    void serverThatEnds_isToldToAllThatWait();
    void socketOfAKilledServer_isNoHindrance();
    void manyThreads_countTogether();
    void secret_isMadeOnceForItsUserAlone();
    void secretThatOthersMayRead_isRefused_data();
    void secretThatOthersMayRead_isRefused();

private:
    static void servers()
    {
        QTest::addColumn<bool>("isHere");
        QTest::newRow("on this host") << true;
        QTest::newRow("over the network") << false;
    }
};

void TstStore::socket_isForItsUserOnly()
{
    const auto server = std::move(*StoreServer::onThisHost());
    struct stat status { };
    QCOMPARE(::stat(server->socketPath().c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777u, 0600u);
    const std::string path = server->socketPath();
    auto ended = std::move(*StoreServer::onThisHost());
    const std::string other = ended->socketPath();
    QVERIFY(other != path);
    ended.reset();
    QVERIFY(!std::filesystem::exists(other));
}

/// It listened on every interface, for every host of the network.
void TstStore::network_isListenedToAtItsAddressAlone()
{
    const auto server = onNetwork();
    const QByteArray name
        = ":" + QByteArray::number(server->port(), 16).toUpper().rightJustified(4, '0') + " ";
    QList<QByteArray> listening;
    for (const char* table : { "/proc/net/tcp", "/proc/net/tcp6" }) {
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QByteArray& line : file.readAll().split('\n')) {
            const QList<QByteArray> cells = line.simplified().split(' ');
            if (cells.size() > 3 && (cells[1] + " ").endsWith(name) && cells[3] == "0A")
                listening.append(cells[1].split(':').front());
        }
    }
    QCOMPARE(listening, QList<QByteArray> { "0100007F" });
    const auto again = StoreServer::onNetwork("127.0.0.1", server->port(), kSecretOfRun);
    QVERIFY(!again);
    QCOMPARE(QString::fromStdString(again.error().message),
        QString("the run's store cannot be served at 127.0.0.1:%1: Address already in use")
            .arg(server->port()));
}

void TstStore::ranks_meetOnBothWays()
{
    QFETCH(bool, isHere);
    const auto server = isHere ? std::move(*StoreServer::onThisHost()) : onNetwork();
    QVERIFY(works(*server));
    QCOMPARE(answer(*server, { Kind::Get, { "30", "nobody" } }), std::string("1"));
}

void TstStore::otherSecret_isToldAtOnce()
{
    const auto server = onNetwork();
    for (const char* secret : { "another", "" }) {
        const auto client = StoreClient::connect(addressOf(*server, secret), kLong);
        QVERIFY(!client);
        QCOMPARE(QString::fromStdString(client.error().message),
            QString("the run's store at 127.0.0.1:%1 cannot be reached: it has another secret than "
                    "this rank, which reads RUN/store.secret")
                .arg(server->port()));
    }
    QVERIFY(works(*server));
}

/// It gets no word that would help it to pass for a rank.
void TstStore::otherProgramAtThePort_isToldAtOnce()
{
    const Descriptor listener = std::move(*listenOn("127.0.0.1", 0));
    const StoreAddress address {
        .host = "127.0.0.1", .port = portOf(listener.fd()), .secret = "s"
    };
    auto reached
        = std::async(std::launch::async, [&] { return StoreClient::connect(address, kLong); });
    pollfd entry { listener.fd(), POLLIN, 0 };
    QCOMPARE(::poll(&entry, 1, 60000), 1);
    const Descriptor rank(::accept(listener.fd(), nullptr, nullptr));
    QVERIFY(say(rank, toWire({ Kind::Challenge, { std::string(32, 'n'), std::string(32, 'p') } })));
    const auto client = reached.get();
    QVERIFY(!client);
    QVERIFY2(client.error().message.find("it has another secret") != std::string::npos,
        client.error().message.c_str());
    const std::string heard = heardToTheEnd(rank);
    QVERIFY(heard.find("earwright store 1") != std::string::npos);
    QCOMPARE(heard.size(), toWire(StoreHandshake("x").hello()).size());
}

void TstStore::strangersWords_endTheirConnectionAlone_data()
{
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    QTest::addColumn<QByteArray>("bytes");
    row("nonsense", "GET / HTTP/1.1\r\n\r\n");
    row("TCPStore's greeting", std::string("\x09\xce\xf7\x85\x3c", 5) + std::string(40, '\0'));
    row("a long message", std::string("\xff\xff\xff\xff", 4));
    row("an empty message", std::string(4, '\0'));
    row("a request", toWire({ Kind::Set, { "earwright/stop", "1" } }));
    row("a proof before it said hello", toWire({ Kind::Proof, { std::string(32, '\0') } }));
    row("an empty proof", toWire({ Kind::Proof, {} }));
    row("hello of another version",
        toWire({ Kind::Hello, { "earwright store 2", std::string(32, 'n') } }));
    row("hello of a short number", toWire({ Kind::Hello, { "earwright store 1", "" } }));
    const std::string hello
        = toWire({ Kind::Hello, { "earwright store 1", std::string(32, 'n') } });
    row("an invented proof", hello + toWire({ Kind::Proof, { std::string(32, '\0') } }));
    row("a request after hello", hello + toWire({ Kind::Set, { "earwright/stop", "1" } }));
    row("the secret itself", hello + toWire({ Kind::Proof, { kSecretOfRun } }));
}

void TstStore::strangersWords_endTheirConnectionAlone()
{
    QFETCH(QByteArray, bytes);
    const auto server = onNetwork();
    const Descriptor socket = stranger(*server);
    QVERIFY(say(socket, bytes.toStdString()));
    heardToTheEnd(socket);
    QCOMPARE(answer(*server, { Kind::Check, { "earwright/stop" } }), std::string("0 0"));
    QVERIFY(works(*server));
}

void TstStore::brokenMessage_endsItsConnectionAlone_data()
{
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    QTest::addColumn<QByteArray>("bytes");
    row("no kind", std::string(4, '\0'));
    row("an unknown kind", std::string("\1\0\0\0\x7f", 5));
    row("more than there may be", std::string("\0\0\0\x7f", 4));
    row("a text longer than its message", std::string("\6\0\0\0\6\xff\0\0\0a", 10));
    row("half a length", std::string("\3\0\0\0\6\1\0", 7));
}

void TstStore::brokenMessage_endsItsConnectionAlone()
{
    QFETCH(QByteArray, bytes);
    const auto server = std::move(*StoreServer::onThisHost());
    const Descriptor socket = stranger(*server);
    QVERIFY(say(socket, bytes.toStdString()));
    QCOMPARE(heardToTheEnd(socket), std::string());
    QVERIFY(works(*server));
}

void TstStore::oddRequest_isRefusedInWords_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<QString>("words");
    const QString parts = "a request to the run's store has the wrong parts";
    const auto row
        = [](const char* name, Kind kind, const QStringList& texts, const QString& words) {
              QTest::newRow(name) << static_cast<int>(kind) << texts << words;
          };
    row("a key without a value", Kind::Set, { "a" }, parts);
    row("no key", Kind::Delete, {}, parts);
    row("no patience", Kind::Get, {}, parts);
    row("patience of no number", Kind::Wait, { "x", "a" }, parts);
    row("negative patience", Kind::Wait, { "-1", "a" }, parts);
    row("two values", Kind::Append, { "a", "1", "2" }, parts);
    row("an answer", Kind::Done, {}, parts);
    row("a late hello", Kind::Hello, { "a", "b" }, parts);
    row("a text added", Kind::Add, { "n", "x" }, "only a whole number can be added, not 'x'");
    row("a fraction added", Kind::Add, { "n", "1.5" },
        "only a whole number can be added, not '1.5'");
    row("added to a text", Kind::Add, { "text", "1" },
        "nothing can be added to 'text': its value is 'notanumber'");
    row("beyond all numbers", Kind::Add, { "most", "1" },
        "nothing can be added to 'most': its value is '9223372036854775807'");
}

void TstStore::oddRequest_isRefusedInWords()
{
    QFETCH(int, kind);
    QFETCH(QStringList, texts);
    QFETCH(QString, words);
    StoreKeys keys;
    keys.answer({ Kind::Set, { "text", "notanumber", "most", "9223372036854775807" } });
    StoreMessage request { static_cast<Kind>(kind) };
    for (const QString& text : texts)
        request.texts.push_back(text.toStdString());
    const auto found = keys.answer(request);
    QVERIFY(found);
    QVERIFY(found->kind == Kind::Refused);
    QCOMPARE(QString::fromStdString(found->texts.front()), words);
    QVERIFY(*keys.answer({ Kind::Count }) == (StoreMessage { Kind::Done, { "2" } }));
}

void TstStore::thousandStrangersThatSayNothing_holdUpNobody()
{
    const auto server = onNetwork();
    Result<StoreClient> rank = StoreClient::connect(addressOf(*server), kLong);
    QVERIFY(bool(rank));
    const std::ptrdiff_t before = openDescriptors();
    std::vector<Descriptor> strangers;
    for (int i = 0; i < 1000; ++i) {
        strangers.push_back(stranger(*server));
        QVERIFY(bool(strangers.back()));
    }
    QVERIFY(works(*server)); // it has heard of them all by now
    const std::ptrdiff_t more = openDescriptors() - before;
    QVERIFY2(more <= 1000 + 64 + 3, qPrintable(QString::number(more)));
    QVERIFY(rank->ask({ Kind::Check, { "a" } })->texts == std::vector<std::string> { "1" });
    QVERIFY(isHungUpOn(strangers.front()));
    strangers.clear();
    QVERIFY(works(*server));
}

void TstStore::strangerThatSaysNothing_isHungUpOn()
{
    const auto server = onNetwork();
    const Descriptor socket = stranger(*server);
    QVERIFY(say(socket, std::string("\x40\0", 2))); // half a length
    QTRY_VERIFY_WITH_TIMEOUT(isHungUpOn(socket), 60000);
}

void TstStore::serverWithoutDescriptors_refusesAndRecovers()
{
    const auto server = std::move(*StoreServer::onThisHost());
    QVERIFY(works(*server));
    const Descriptor late(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = unixAddress(server->socketPath());
    {
        const std::vector<Descriptor> all = allDescriptors();
        QCOMPARE(
            ::connect(late.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)),
            0);
        QCOMPARE(heardToTheEnd(late), std::string());
    }
    QVERIFY(works(*server));
}

/// Its answers do not fit into the kernel's buffers.
void TstStore::clientThatReadsNothing_holdsUpNobody()
{
    const auto server = std::move(*StoreServer::onThisHost());
    QCOMPARE(
        answer(*server, { Kind::Set, { "long", std::string(8'000'000, 'x') } }), std::string("0"));
    const Descriptor socket = stranger(*server);
    const std::string request = toWire({ Kind::Get, { "0", "long" } });
    QVERIFY(say(socket, request + request));
    QVERIFY(works(*server));
    std::string heard(2 * toWire({ Kind::Done, { std::string(8'000'000, 'x') } }).size(), '\0');
    QCOMPARE(::recv(socket.fd(), heard.data(), heard.size(), MSG_WAITALL), std::ssize(heard));
}

void TstStore::serverThatEnds_isToldToAllThatWait()
{
    auto server = onNetwork();
    std::vector<std::future<std::string>> waiting;
    std::vector<std::unique_ptr<std::promise<void>>> connected;
    const StoreAddress address = addressOf(*server);
    for (int i = 0; i < 8; ++i) {
        connected.push_back(std::make_unique<std::promise<void>>());
        waiting.push_back(std::async(std::launch::async, [address, is = connected.back().get()] {
            Result<StoreClient> client = StoreClient::connect(address, kLong);
            is->set_value();
            const auto said = client->ask({ Kind::Wait, { "0", "never" } });
            return said ? std::string("answered") : said.error().message;
        }));
    }
    for (const auto& one : connected)
        one->get_future().wait();
    server.reset();
    for (auto& one : waiting)
        QVERIFY(one.get().starts_with("its server closed the socket"));
}

void TstStore::socketOfAKilledServer_isNoHindrance()
{
    const QTemporaryDir folder;
    qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
    const auto server = std::move(*StoreServer::onThisHost());
    QVERIFY(works(*server));
    qunsetenv("XDG_RUNTIME_DIR");
    const Descriptor dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const std::string path = (folder.path() + "/dead.sock").toStdString();
    const auto address = unixAddress(path);
    QCOMPARE(::bind(dead.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)), 0);
    const auto client = StoreClient::connect({ .socket = path }, kLong);
    QVERIFY(!client);
    QCOMPARE(QString::fromStdString(client.error().message),
        QString::fromStdString(
            "the run's store at " + path + " cannot be reached: Connection refused"));
}

void TstStore::manyThreads_countTogether()
{
    const auto server = std::move(*StoreServer::onThisHost());
    std::vector<std::future<bool>> threads;
    for (int thread = 0; thread < 8; ++thread)
        threads.push_back(std::async(std::launch::async, [&, thread] {
            Result<StoreClient> client = StoreClient::connect(addressOf(*server), kLong);
            for (int i = 0; client && i < 200; ++i) {
                const std::string mine = std::to_string(thread) + "/" + std::to_string(i);
                const std::string others
                    = std::to_string((thread + 1) % 8) + "/" + std::to_string(i);
                if (!client->ask({ Kind::Set, { mine, "1" } })
                    || !client->ask({ Kind::Add, { "sum", "1" } })
                    || !client->ask({ Kind::Wait, { "0", others } }))
                    return false;
            }
            return bool(client);
        }));
    for (auto& thread : threads)
        QVERIFY(thread.get());
    QCOMPARE(answer(*server, { Kind::Get, { "0", "sum" } }), std::string("0 1600"));
}

void TstStore::secret_isMadeOnceForItsUserAlone()
{
    const QTemporaryDir folder;
    const RunFolder run { folder.path().toStdString() };
    std::vector<std::future<std::string>> ranks;
    for (int rank = 0; rank < 8; ++rank)
        ranks.push_back(std::async(std::launch::async, [&] {
            const Result<std::string> secret = storeSecret(run);
            return secret ? *secret : secret.error().message;
        }));
    const std::string first = ranks.front().get();
    QCOMPARE(first.size(), size_t { 32 });
    for (size_t rank = 1; rank < ranks.size(); ++rank)
        QVERIFY(ranks[rank].get() == first);
    struct stat status { };
    QCOMPARE(::stat(storeSecretFile(run).c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777u, 0600u);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList { "store.secret" });
    const QTemporaryDir other;
    QVERIFY(*storeSecret({ other.path().toStdString() }) != first);
}

void TstStore::secretThatOthersMayRead_isRefused_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QString>("words");
    const QString open
        = "others may read or write '%1', the secret of the run: delete it, and a new "
          "one is made";
    QTest::newRow("group") << 0640 << 32 << open;
    QTest::newRow("others") << 0602 << 32 << open;
    QTest::newRow("short") << 0600 << 31
                           << QString("'%1' is damaged: delete it, and a new one is made");
}

void TstStore::secretThatOthersMayRead_isRefused()
{
    QFETCH(int, mode);
    QFETCH(int, bytes);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const RunFolder run { folder.path().toStdString() };
    const std::string file = storeSecretFile(run);
    std::ofstream(file) << std::string(static_cast<size_t>(bytes), 'x');
    QCOMPARE(::chmod(file.c_str(), static_cast<mode_t>(mode)), 0);
    const Result<std::string> secret = storeSecret(run);
    QVERIFY(!secret);
    QCOMPARE(
        QString::fromStdString(secret.error().message), words.arg(QString::fromStdString(file)));
}

EARWRIGHT_TEST(TstStore)
#include "tst_store.moc"
