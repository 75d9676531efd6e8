#include "core/base/file.h"

#include <csignal>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

using namespace kymo;

namespace {

/// A disk that is full after `bytes`: writes beyond them fail. Ends with its scope.
class SmallDisk final {
public:
    explicit SmallDisk(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    rlimit m_before {};
    void (*m_handler)(int);
};

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TstFile final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writtenBytes_areReadBack();
    void existingFile_isReplaced();
    void missingFile_isNamedWithTheReason();
    void folder_cannotBeRead();
    void missingFolder_isNamedWithTheReason();
    void fullDisk_keepsTheOldFileAndLeavesNoPart();
    void folderInTheWay_leavesNoPart();

private:
    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    QTemporaryDir m_folder;
};

void TstFile::writtenBytes_areReadBack()
{
    const std::string bytes("a\0b\r\n\xff", 6);
    QVERIFY(writeFileAtomically(path("语音 a.bin"), bytes));
    QCOMPARE(*readFile(path("语音 a.bin")), bytes);
    QVERIFY(!std::filesystem::exists(path("语音 a.bin.tmp")));
}

void TstFile::existingFile_isReplaced()
{
    QVERIFY(writeFileAtomically(path("x"), "a long first version"));
    QVERIFY(writeFileAtomically(path("x"), "short"));
    QCOMPARE(*readFile(path("x")), std::string("short"));
}

void TstFile::missingFile_isNamedWithTheReason()
{
    const Result<std::string> text = readFile("no/such.yaml");
    QVERIFY(!text);
    QCOMPARE(
        text.error().message, std::string("cannot read 'no/such.yaml': No such file or directory"));
}

void TstFile::folder_cannotBeRead()
{
    const Result<std::string> text = readFile(m_folder.path().toStdString());
    QVERIFY(!text);
    QVERIFY(contains(text.error().message, "Is a directory"));
}

void TstFile::missingFolder_isNamedWithTheReason()
{
    const Status status = writeFileAtomically(path("none/x"), "text");
    QVERIFY(!status);
    QVERIFY(contains(status.error().message, "none/x.tmp': No such file or directory"));
}

void TstFile::fullDisk_keepsTheOldFileAndLeavesNoPart()
{
    QVERIFY(writeFileAtomically(path("checkpoint"), "the last good one"));
    {
        const SmallDisk disk(1000);
        const Status status = writeFileAtomically(path("checkpoint"), std::string(5000, 'x'));
        QVERIFY(!status);
        QVERIFY(contains(status.error().message, "cannot write"));
    }
    QCOMPARE(*readFile(path("checkpoint")), std::string("the last good one"));
    QVERIFY(!std::filesystem::exists(path("checkpoint.tmp")));
}

void TstFile::folderInTheWay_leavesNoPart()
{
    std::filesystem::create_directories(path("taken/inside"));
    const Status status = writeFileAtomically(path("taken"), "text");
    QVERIFY(!status);
    QVERIFY(contains(status.error().message, "cannot replace"));
    QVERIFY(!std::filesystem::exists(path("taken.tmp")));
}

QTEST_GUILESS_MAIN(TstFile)
#include "tst_file.moc"
