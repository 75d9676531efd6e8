#include "core/run/control.h"
#include "core/run/unix_socket.h"
#include "tests/registry.h"

#include <atomic>
#include <filesystem>
#include <QTemporaryDir>
#include <QTest>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>

using namespace earwright;
using namespace earwright::run;

namespace {

std::unique_ptr<ControlServer> echoServer()
{
    auto server = ControlServer::listen(
        [](const std::string& request) { return "{\"ok\":true,\"of\":" + request + "}"; });
    return server ? std::move(*server) : nullptr;
}

/// With time for a busy machine.
Result<std::string> answerOf(const ControlServer& server, const std::string& request)
{
    return sendControl(server.socketPath(), request, 60000);
}

/// A client that speaks the socket byte by byte.
struct RawClient {
    explicit RawClient(const std::string& path)
        : socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const auto address = unixAddress(path);
        isConnected = address
            && ::connect(
                   socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address))
                == 0;
    }
    bool send(std::string_view bytes) const
    {
        return ::send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL)
            == static_cast<ssize_t>(bytes.size());
    }
    /// Up to the given number of lines; fewer where the server hangs up.
    std::string receiveLines(int lines) const
    {
        std::string text;
        for (char c; lines > 0 && ::recv(socket.fd(), &c, 1, 0) == 1; lines -= c == '\n')
            text.push_back(c);
        return text;
    }

    Descriptor socket;
    bool isConnected = false;
};

} // namespace

class TstControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void request_isAnswered()
    {
        const auto server = echoServer();
        QVERIFY(server);
        for (int i = 0; i < 3; ++i) {
            const auto answer = answerOf(*server, "{\"command\":\"status\"}");
            QVERIFY(bool(answer));
            QCOMPARE(*answer, std::string("{\"ok\":true,\"of\":{\"command\":\"status\"}}"));
        }
    }

    void socket_isForItsUserOnly()
    {
        const auto server = echoServer();
        QVERIFY(server);
        struct stat status { };
        QCOMPARE(::stat(server->socketPath().c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777u, 0600u);
    }

    void socket_liesInTheRuntimeFolderWhereItsNameFits()
    {
        const QTemporaryDir dir;
        qputenv("XDG_RUNTIME_DIR", dir.path().toUtf8());
        QVERIFY(echoServer()->socketPath().starts_with(dir.path().toStdString()));
        const QString deep = dir.path() + "/" + QString(100, 'x');
        QVERIFY(std::filesystem::create_directory(deep.toStdString()));
        qputenv("XDG_RUNTIME_DIR", deep.toUtf8());
        QVERIFY(echoServer()->socketPath().starts_with("/tmp/earwright-"));
        qunsetenv("XDG_RUNTIME_DIR");
    }

    void requestInPieces_isAnsweredOnce()
    {
        const auto server = echoServer();
        const RawClient client(server->socketPath());
        QVERIFY(client.isConnected && client.send("[1"));
        QVERIFY(answerOf(*server, "[0]")); // the server has seen the first piece by now
        QVERIFY(client.send(",2]\n[3]\n[4"));
        QCOMPARE(client.receiveLines(2),
            std::string("{\"ok\":true,\"of\":[1,2]}\n{\"ok\":true,\"of\":[3]}\n"));
    }

    void clientThatLeaves_harmsNobody()
    {
        const auto server = echoServer();
        for (int i = 0; i < 100; ++i) {
            const RawClient client(server->socketPath());
            QVERIFY(client.isConnected && client.send(std::string(1000, 'x') + "\nhalf a line"));
        }
        QVERIFY(bool(answerOf(*server, "[0]")));
    }

    void lineWithoutEnd_isHungUpOn()
    {
        const auto server = echoServer();
        const RawClient client(server->socketPath());
        const std::string bytes(64 << 10, 'x');
        for (int i = 0; i < 40 && client.send(bytes); ++i) { }
        QCOMPARE(client.receiveLines(1), std::string());
        QVERIFY(bool(answerOf(*server, "[0]")));
    }

    void manyClients_areServedAtOnce()
    {
        const auto server = echoServer();
        const RawClient idle(server->socketPath());
        std::atomic<int> answered = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 50; ++i) {
                    const std::string request
                        = "[" + std::to_string(t) + "," + std::to_string(i) + "]";
                    const auto answer = answerOf(*server, request);
                    answered += answer && *answer == "{\"ok\":true,\"of\":" + request + "}" ? 1 : 0;
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(answered.load(), 8 * 50);
    }

    void end_comesWithClientsConnected()
    {
        auto server = echoServer();
        const std::string path = server->socketPath();
        const RawClient client(path);
        QVERIFY(client.isConnected && client.send("half"));
        server.reset();
        QVERIFY(!std::filesystem::exists(path));
        QCOMPARE(client.receiveLines(1), std::string());
    }

    void nobodyThere_isAnErrorInWords()
    {
        std::string path = echoServer()->socketPath();
        const auto answer = sendControl(path, "{}");
        QVERIFY(!answer);
        QCOMPARE(answer.error().message,
            "cannot talk to the run's supervisor at '" + path + "': No such file or directory");
        QVERIFY(!sendControl(std::string(200, 'x'), "{}"));
    }

    void silentServer_runsIntoTheTimeout()
    {
        const QTemporaryDir dir;
        const std::string path = dir.path().toStdString() + "/socket";
        const auto address = unixAddress(path);
        const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        QCOMPARE(
            ::bind(listener.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)),
            0);
        QCOMPARE(::listen(listener.fd(), 1), 0);
        const auto answer = sendControl(path, "{}", 50);
        QVERIFY(!answer);
        QVERIFY(QString::fromStdString(answer.error().message).endsWith("no answer within 50 ms"));
    }
};

EARWRIGHT_TEST(TstControl)
#include "tst_control.moc"
