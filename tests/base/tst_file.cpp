#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "tests/registry.h"

#include <csignal>
#include <fcntl.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace earwright;

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
    void linkCountsAsWhatItLeadsTo();
    void missingFile_isNamedWithTheReason();
    void folder_cannotBeRead();
    void missingFolder_isNamedWithTheReason();
    void fullDisk_keepsTheOldFileAndLeavesNoPart();
    void folderInTheWay_leavesNoPart();
    void somebodysFile_isNoPartOfOurs();
    void unfinishedFile_isTakenOverWhereNobodyWritesIt();
    void lock_tellsWhoHasTheName();
    void link_staysOne();
    void pipe_isWrittenInto();
    void whatMayNeverEnd_isNotRead_data();
    void whatMayNeverEnd_isNotRead();
    void pipe_isReadToABound();
    void finishedFile_takesNoPipesPlace();

private:
    /// Hidden ones too.
    QStringList names() const
    {
        return QDir(m_folder.path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
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
    QCOMPARE(names(), QStringList { "语音 a.bin" });
}

void TstFile::existingFile_isReplaced()
{
    QVERIFY(writeFileAtomically(path("x"), "a long first version"));
    QVERIFY(writeFileAtomically(path("x"), "short"));
    QCOMPARE(*readFile(path("x")), std::string("short"));
}

void TstFile::linkCountsAsWhatItLeadsTo()
{
    std::filesystem::create_directory(path("folder"));
    QVERIFY(writeFileAtomically(path("folder/x"), "x"));
    for (const auto& [name, target] : { std::pair { "file", "folder/x" }, { "files", "folder" },
             { "nowhere", "missing" }, { "itself", "itself" } })
        std::filesystem::create_symlink(target, path(name));
    QVERIFY(isFile(path("file")) && !isFolder(path("file")));
    QVERIFY(isFolder(path("files")) && !isFile(path("files")));
    for (const char* name : { "nowhere", "itself", "no/such" })
        QVERIFY2(!isFile(path(name)) && !isFolder(path(name)), name);
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
    QVERIFY(contains(status.error().message, "none/x': No such file or directory"));
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
    QVERIFY(names().filter(".tmp").isEmpty());
}

void TstFile::folderInTheWay_leavesNoPart()
{
    std::filesystem::create_directories(path("taken/inside"));
    const Status status = writeFileAtomically(path("taken"), "text");
    QVERIFY(!status);
    QVERIFY(contains(status.error().message, "cannot replace"));
    QVERIFY(names().filter(".tmp").isEmpty());
}

void TstFile::somebodysFile_isNoPartOfOurs()
{
    QVERIFY(writeFileAtomically(path("texts.tmp"), "theirs"));
    QVERIFY(writeFileAtomically(path("texts"), "ours"));
    QCOMPARE(*readFile(path("texts.tmp")), std::string("theirs"));
}

/// What a killed process left; the second is still being written.
void TstFile::unfinishedFile_isTakenOverWhereNobodyWritesIt()
{
    QVERIFY(writeFileAtomically(path(".left.earwright.tmp"), "half of a much longer text"));
    QVERIFY(writeFileAtomically(path("left"), "whole"));
    QCOMPARE(*readFile(path("left")), std::string("whole"));
    QVERIFY(!std::filesystem::exists(path(".left.earwright.tmp")));

    const int other
        = ::open(path(".busy.earwright.tmp").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    QVERIFY(::flock(other, LOCK_EX) == 0);
    QCOMPARE(::write(other, "half", 4), 4);
    QVERIFY(writeFileAtomically(path("busy"), "ours"));
    ::close(other);
    QCOMPARE(*readFile(path("busy")), std::string("ours"));
    QCOMPARE(*readFile(path(".busy.earwright.tmp")), std::string("half"));
}

void TstFile::lock_tellsWhoHasTheName()
{
    const auto opened = [&] {
        return Descriptor(::open(path("one").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    };
    Descriptor first = opened();
    const Descriptor second = opened();
    QCOMPARE(tryLock(path("one"), first.fd()), Holder::Us);
    QCOMPARE(tryLock(path("one"), first.fd()), Holder::Us);
    QCOMPARE(tryLock(path("one"), second.fd()), Holder::SomebodyElse);
    first = Descriptor(); // given back
    QCOMPARE(tryLock(path("one"), second.fd()), Holder::Us);
    std::filesystem::rename(path("one"), path("other"));
    QCOMPARE(tryLock(path("one"), second.fd()), Holder::SomebodyElse); // no name any more
    const Descriptor newcomer = opened();
    QCOMPARE(tryLock(path("one"), second.fd()), Holder::SomebodyElse);
    QCOMPARE(tryLock(path("one"), newcomer.fd()), Holder::Us);
}

void TstFile::link_staysOne()
{
    QVERIFY(writeFileAtomically(path("target"), "old"));
    std::filesystem::create_symlink("target", path("link"));
    std::filesystem::create_symlink(path("link"), path("link to it"));
    QVERIFY(writeFileAtomically(path("link to it"), "new"));
    QCOMPARE(*readFile(path("target")), std::string("new"));
    QVERIFY(writeFileAtomically(path("part"), "newer"));
    QVERIFY(publishFile(path("part"), path("link")));
    QCOMPARE(*readFile(path("target")), std::string("newer"));
    std::filesystem::create_symlink("not there", path("early link"));
    QVERIFY(writeFileAtomically(path("early link"), "made"));
    QCOMPARE(*readFile(path("not there")), std::string("made"));
    for (const char* name : { "link", "link to it", "early link" })
        QVERIFY(std::filesystem::is_symlink(path(name)));
}

void TstFile::whatMayNeverEnd_isNotRead_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<QString>("reason");
    QCOMPARE(::mkfifo(path("silent pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", path("link to a device"));
    QTest::newRow("pipe") << path("silent pipe").string()
                          << "it is no file but a pipe; name a file";
    QTest::newRow("device") << path("link to a device").string()
                            << "it is no file but a device; name a file";
}

void TstFile::whatMayNeverEnd_isNotRead()
{
    QFETCH(std::string, name);
    QFETCH(QString, reason);
    const Result<std::string> text = readFile(name);
    QVERIFY(!text);
    QVERIFY(QString::fromStdString(text.error().message).endsWith(reason));
}

void TstFile::pipe_isReadToABound()
{
    QVERIFY(!readFileOrPipe("/dev/zero", 1000));
    QVERIFY(writeFileAtomically(path("short"), "short"));
    QCOMPARE(*readFileOrPipe(path("short"), 5), std::string("short"));
}

void TstFile::pipe_isWrittenInto()
{
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    QVERIFY(reader >= 0);
    QVERIFY(writeFileAtomically(path("pipe"), "text"));
    char text[8] {};
    QCOMPARE(::read(reader, text, sizeof(text)), ssize_t { 4 });
    ::close(reader);
    QCOMPARE(std::string(text), std::string("text"));
    QVERIFY(std::filesystem::is_fifo(path("pipe")));
}

void TstFile::finishedFile_takesNoPipesPlace()
{
    QCOMPARE(::mkfifo(path("other pipe").c_str(), 0600), 0);
    QVERIFY(writeFileAtomically(path("finished"), "text"));
    const Status published = publishFile(path("finished"), path("other pipe"));
    QVERIFY(!published);
    QVERIFY(contains(published.error().message, "other pipe': it is a pipe or a device"));
    QVERIFY(std::filesystem::is_fifo(path("other pipe")));
    QVERIFY(!std::filesystem::exists(path("finished")));
}

EARWRIGHT_TEST(TstFile)
#include "tst_file.moc"
