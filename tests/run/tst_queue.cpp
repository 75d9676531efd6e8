#include "core/run/queue.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"

#include <csignal>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace earwright;
using namespace earwright::run;

using Devices = std::vector<std::vector<std::string>>;

class TstQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_root = m_dir->path().toStdString();
    }

    void noFile_isAnEmptyQueue()
    {
        const auto queue = readQueue(m_root / "none");
        QVERIFY(bool(queue));
        QVERIFY(queue->runs.empty() && !queue->isStopped);
    }

    void edited_comesBack()
    {
        QVERIFY(bool(editQueue(m_root / "new", [](Queue& queue) {
            queue = { true, { "/runs/a", "/runs/数字" } };
            return Status(Done {});
        })));
        const auto queue = readQueue(m_root / "new");
        QVERIFY(bool(queue));
        QVERIFY(queue->isStopped);
        QCOMPARE(queue->runs, (std::vector<std::string> { "/runs/a", "/runs/数字" }));
    }

    void failedEdit_changesNothing()
    {
        const auto edited = editQueue(m_root, [](Queue& queue) {
            queue.runs.push_back("/runs/a");
            return Status(Error { "no" });
        });
        QVERIFY(!edited);
        QVERIFY(readQueue(m_root)->runs.empty());
    }

    /// It would come back as another path, at which there is no run.
    void pathThatIsNoUtf8_isRefused()
    {
        const auto edited = editQueue(m_root, [](Queue& queue) {
            queue.runs = { "/runs/a", "/runs/caf\xe9" };
            return Status(Done {});
        });
        QVERIFY(!edited);
        QVERIFY(QByteArray::fromStdString(edited.error().message).contains("is no UTF-8"));
        QVERIFY(readQueue(m_root)->runs.empty());
    }

    void editsOfMany_areAllKept()
    {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([this, t] {
                for (int i = 0; i < 10; ++i)
                    (void)editQueue(m_root, [&](Queue& queue) {
                        queue.runs.push_back(std::to_string(t) + "/" + std::to_string(i));
                        return Status(Done {});
                    });
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(readQueue(m_root)->runs.size(), size_t { 40 });
    }

    void damagedOrNewerFile_isAnErrorInWords()
    {
        writeBytes(m_root / "queue.json", "{");
        QVERIFY(QString::fromStdString(readQueue(m_root).error().message).contains("queue.json"));
        writeBytes(m_root / "queue.json", R"({"version": 99, "runs": []})");
        QVERIFY(
            QString::fromStdString(readQueue(m_root).error().message).contains("newer Earwright"));
    }

    void owner_isOneProcessUntilItEnds()
    {
        QCOMPARE(queueOwner(m_root), int64_t { 0 });
        int ready[2] = {};
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto owner = ownQueue(m_root);
            (void)!::write(ready[1], owner ? "y" : "n", 1);
            ::pause();
        }
        char answer = 0;
        QCOMPARE(::read(ready[0], &answer, 1), ssize_t { 1 });
        QCOMPARE(answer, 'y');
        QCOMPARE(queueOwner(m_root), int64_t { child });
        const auto second = ownQueue(m_root);
        QVERIFY(!second);
        QVERIFY(QString::fromStdString(second.error().message)
                    .contains(QString::number(static_cast<int>(child))));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QCOMPARE(queueOwner(m_root), int64_t { 0 });
        QVERIFY(bool(ownQueue(m_root)));
    }

    void moved_staysInTheQueue_data()
    {
        QTest::addColumn<std::string>("run");
        QTest::addColumn<int>("places");
        QTest::addColumn<std::vector<std::string>>("after");
        using Runs = std::vector<std::string>;
        QTest::newRow("forward") << std::string("c") << -1 << Runs { "a", "c", "b", "d" };
        QTest::newRow("back") << std::string("b") << 2 << Runs { "a", "c", "d", "b" };
        QTest::newRow("beyond the front") << std::string("c") << -9 << Runs { "c", "a", "b", "d" };
        QTest::newRow("beyond the end") << std::string("a") << 9 << Runs { "b", "c", "d", "a" };
        QTest::newRow("by nothing") << std::string("b") << 0 << Runs { "a", "b", "c", "d" };
        QTest::newRow("a stranger") << std::string("e") << 1 << Runs { "a", "b", "c", "d" };
    }

    void moved_staysInTheQueue()
    {
        QFETCH(const std::string, run);
        QFETCH(const int, places);
        QFETCH(const std::vector<std::string>, after);
        Queue queue { false, { "a", "b", "c", "d" } };
        QCOMPARE(moveBy(queue, run, places), run != "e");
        QCOMPARE(queue.runs, after);
    }

    void next_isTheFirstWhoseDevicesAreFree_data()
    {
        QTest::addColumn<Devices>("waiting");
        QTest::addColumn<std::set<std::string>>("used");
        QTest::addColumn<int>("next");
        const std::set<std::string> none;
        QTest::newRow("nothing waits") << Devices {} << none << -1;
        QTest::newRow("all free") << Devices { { "cuda:0" }, { "cuda:1" } } << none << 0;
        QTest::newRow("the first waits")
            << Devices { { "cuda:0" }, { "cuda:1" } } << std::set<std::string> { "cuda:0" } << 1;
        QTest::newRow("the first is not overtaken by one that needs what it waits for")
            << Devices { { "cuda:0", "cuda:1" }, { "cuda:1" }, { "cuda:2" } }
            << std::set<std::string> { "cuda:0" } << 2;
        QTest::newRow("the CPU is one device")
            << Devices { { "cpu" }, { "cpu", "cpu" } } << std::set<std::string> { "cpu" } << -1;
    }

    void next_isTheFirstWhoseDevicesAreFree()
    {
        QFETCH(const Devices, waiting);
        QFETCH(const std::set<std::string>, used);
        QFETCH(const int, next);
        const auto found = nextToStart(waiting, used);
        QCOMPARE(found ? static_cast<int>(*found) : -1, next);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_root;
};

EARWRIGHT_TEST(TstQueue)
#include "tst_queue.moc"
