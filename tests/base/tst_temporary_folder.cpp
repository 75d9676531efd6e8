#include "core/base/temporary_folder.h"
#include "tests/registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using earwright::TemporaryFolder;

class TstTemporaryFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folder_goesWithAllThatIsInIt();
    void place_isTmpdirWhereNoneIsNamed();
    void placeThatIsNotThere_givesAnEmptyPath();
    void endOfTheProcess_leavesNoneThatIsWrittenInto();
};

void TstTemporaryFolder::folder_goesWithAllThatIsInIt()
{
    QTemporaryDir parent;
    std::filesystem::path path;
    {
        const TemporaryFolder one(parent.path().toStdString(), "one");
        const TemporaryFolder other(parent.path().toStdString(), "one");
        QVERIFY(one.path() != other.path());
        path = one.path();
        QVERIFY(path.filename().string().starts_with("one-"));
        std::filesystem::create_directories(path / "a/b");
        QFile file(path / "a/b/c");
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY(QDir(parent.path()).isEmpty());
}

void TstTemporaryFolder::place_isTmpdirWhereNoneIsNamed()
{
    QTemporaryDir parent;
    qputenv("TMPDIR", parent.path().toUtf8());
    const TemporaryFolder folder("", "one");
    QCOMPARE(folder.path().parent_path(), std::filesystem::path(parent.path().toStdString()));
}

void TstTemporaryFolder::placeThatIsNotThere_givesAnEmptyPath()
{
    QTemporaryDir parent;
    const TemporaryFolder folder(parent.filePath("none").toStdString(), "one");
    QVERIFY(folder.path().empty());
}

void TstTemporaryFolder::endOfTheProcess_leavesNoneThatIsWrittenInto()
{
    QTemporaryDir parent;
    const std::string place = parent.path().toStdString();
    for (int i = 0; i < 50; ++i) {
        const pid_t process = fork();
        if (process == 0) {
            const TemporaryFolder folder(place, "one");
            if (folder.path().empty())
                _exit(1);
            std::atomic<int> written = 0;
            std::thread([&] {
                for (;; ++written) {
                    const std::string below = std::to_string(written);
                    earwright::makeFoldersBelow(folder.path(), below);
                    std::ofstream(folder.path() / below / "file");
                }
            }).detach();
            while (written < 10)
                std::this_thread::yield();
            TemporaryFolder::removeAll();
            _exit(0);
        }
        int status = 0;
        QCOMPARE(waitpid(process, &status, 0), process);
        QCOMPARE(status, 0);
        QVERIFY(QDir(parent.path()).isEmpty());
    }
}

EARWRIGHT_TEST(TstTemporaryFolder)
#include "tst_temporary_folder.moc"
