#include <QTemporaryDir>
#include <QTest>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/distributed/shared_file.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <array>
#include <fstream>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

using namespace earwright;
using distributed::Group;
using earwright::tests::Ranks;

namespace {

const std::string kText = "ID,duration,wav,wrd\n1,0.5,a.wav,one\n2,0.5,b.wav,two\n";

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

/// Reads what is told of a folder until it was looked into, or nothing more is to be expected.
void awaitLook(int watch)
{
    constexpr int kPatienceMs = 60000;
    pollfd ready { watch, POLLIN, 0 };
    alignas(inotify_event) std::array<char, 4096> told;
    while (poll(&ready, 1, kPatienceMs) > 0) {
        const ssize_t size = read(watch, told.data(), told.size());
        if (size < 0)
            return;
        for (ssize_t at = 0; at < size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(told.data() + at);
            if ((event->mask & IN_ISDIR) != 0)
                return;
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
    }
}

} // namespace

/// Two ranks and a share that shows the second one late what the first has written.
class TstSharedFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lateFile_isReadWhenItIsWhole_data();
    void lateFile_isReadWhenItIsWhole();
    void fileThatNeverComes_isNamedWithWhatIsSeen();
    void fileThatMainCannotRead_isToldToAll();

private:
    QTemporaryDir m_folder;
};

void TstSharedFile::lateFile_isReadWhenItIsWhole_data()
{
    QTest::addColumn<QByteArray>("before"); // what the second rank's host shows first
    QTest::newRow("not there") << QByteArray();
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("a part") << QByteArray(kText.data(), 20);
    QTest::newRow("an older one of the same size") << QByteArray(std::ssize(kText), 'x');
    QTest::newRow("a longer one") << QByteArray(std::ssize(kText) + 9, 'x');
}

void TstSharedFile::lateFile_isReadWhenItIsWhole()
{
    QFETCH(QByteArray, before);
    const std::filesystem::path root
        = m_folder.filePath(QString(QTest::currentDataTag()).replace(' ', '-')).toStdString();
    const std::array<std::filesystem::path, 2> hosts { root / "a", root / "b" };
    for (const auto& host : hosts)
        std::filesystem::create_directories(host);
    if (!before.isNull())
        write(hosts[1] / "train.csv", before.toStdString());
    const Descriptor watch(inotify_init1(IN_CLOEXEC));
    QVERIFY(inotify_add_watch(watch.fd(), hosts[1].c_str(), IN_OPEN) >= 0);
    std::string found;
    // The share: once the second rank has looked, the file is moved to its place.
    std::thread share([&] {
        awaitLook(watch.fd());
        write(hosts[1] / "train.csv.late", kText);
        std::filesystem::rename(hosts[1] / "train.csv.late", hosts[1] / "train.csv");
    });
    const auto thrown = Ranks(2).run([&](Group& group) {
        const std::filesystem::path file = hosts[static_cast<size_t>(group.rank())] / "train.csv";
        group.runOnMain("make", [&] {
            write(file, kText);
            return std::string();
        });
        distributed::awaitFiles(group, "manifests", { file });
        if (group.rank() == 1)
            found = *readFile(file);
    });
    share.join();
    QCOMPARE(thrown, std::vector<std::string>(2));
    QCOMPARE(found, kText);
}

void TstSharedFile::fileThatNeverComes_isNamedWithWhatIsSeen()
{
    const std::filesystem::path root = m_folder.filePath("never").toStdString();
    std::filesystem::create_directories(root);
    write(root / "0.csv", kText);
    write(root / "1.csv", "x");
    const auto thrown = Ranks(2).run([&](Group& group) {
        distributed::awaitFiles(group, "manifests",
            { root / (std::to_string(group.rank()) + ".csv") }, std::chrono::milliseconds(200));
    });
    QCOMPARE(thrown[0], std::string());
    QVERIFY2(thrown[1].find("1.csv is not here as rank 0 has it: it has 1 bytes instead of "
                 + std::to_string(kText.size()))
            != std::string::npos,
        thrown[1].c_str());
}

void TstSharedFile::fileThatMainCannotRead_isToldToAll()
{
    const auto thrown = Ranks(2).run(
        [](Group& group) { distributed::awaitFiles(group, "manifests", { "/no/such/file" }); });
    for (const std::string& text : thrown)
        QVERIFY2(text.find("/no/such/file") != std::string::npos, text.c_str());
}

EARWRIGHT_TEST(TstSharedFile)
#include "tst_shared_file.moc"
