#include <QTest>

#include "core/engine/last_words.h"
#include "tests/registry.h"

#include <c10/util/Exception.h>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using earwright::engine::LastWords;

namespace {

constexpr int kSaid = 9;

struct Ended {
    std::string words;
    int status = 0;
};

/// What a process says whose thread does `work`, and how it ends.
Ended endOf(const std::function<void()>& work, bool sayingThrows = false)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return {};
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGABRT, SIG_DFL);
        const LastWords words([&](const std::string& cause) {
            if (sayingThrows)
                throw std::runtime_error("no words");
            (void)!::write(ends[1], cause.data(), cause.size());
            std::_Exit(kSaid);
        });
        std::thread(work).join();
        std::_Exit(0);
    }
    ::close(ends[1]);
    Ended ended;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        ended.words.append(buffer, static_cast<size_t>(count));
    ::close(ends[0]);
    ::waitpid(child, &ended.status, 0);
    return ended;
}

} // namespace

class TstLastWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exceptionOfAThread_isTold_data();
    void exceptionOfAThread_isTold();
    void twoThreads_tellOne();
    void wordsThatThrow_endTheProcess();
    void threadThatEndsWell_saysNothing();
};

void TstLastWords::exceptionOfAThread_isTold_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("c10::Error, without its stack") << 0 << QByteArray("NCCL error: unhandled");
    QTest::newRow("std::exception") << 1 << QByteArray("the disk is full");
    QTest::newRow("no exception class")
        << 2 << QByteArray("a thread threw what is no std::exception");
    QTest::newRow("std::terminate") << 3 << QByteArray("a thread called std::terminate");
}

void TstLastWords::exceptionOfAThread_isTold()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, words);
    const Ended ended = endOf([kind] {
        if (kind == 0)
            throw c10::DistBackendError({ __func__, __FILE__, __LINE__ }, "NCCL error: unhandled");
        if (kind == 1)
            throw std::runtime_error("the disk is full");
        if (kind == 2)
            throw 7;
        std::terminate();
    });
    QCOMPARE(QByteArray::fromStdString(ended.words), words);
    QVERIFY(WIFEXITED(ended.status));
    QCOMPARE(WEXITSTATUS(ended.status), kSaid);
}

void TstLastWords::twoThreads_tellOne()
{
    const Ended ended = endOf([] {
        std::thread other([] { throw std::runtime_error("one"); });
        std::thread([] { throw std::runtime_error("one"); }).join();
        other.join();
    });
    QCOMPARE(ended.words, std::string("one"));
}

void TstLastWords::wordsThatThrow_endTheProcess()
{
    const Ended ended = endOf([] { throw std::runtime_error("first"); }, true);
    QVERIFY(WIFSIGNALED(ended.status));
    QCOMPARE(WTERMSIG(ended.status), SIGABRT);
}

void TstLastWords::threadThatEndsWell_saysNothing()
{
    const Ended ended = endOf([] {});
    QCOMPARE(ended.words, std::string());
    QVERIFY(WIFEXITED(ended.status));
    QCOMPARE(WEXITSTATUS(ended.status), 0);
}

EARWRIGHT_TEST(TstLastWords)
#include "tst_last_words.moc"
