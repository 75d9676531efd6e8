#include "core/base/file.h"
#include "core/run/zip_archive.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

/// What is written is read back; what another program or a bad disk made of it is told.
class TstZipArchive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void written_isReadBack();
    void sameFiles_makeTheSameArchive();
    void unreadableFile_isNotPacked();
    void compressedFile_isReadUnlessItGrowsTooFar();
    void changedByte_isFoundByTheCrc();
    void truncatedArchive_isRefusedAtEveryLength();
    void whatIsNoArchive_isSaid_data();
    void whatIsNoArchive_isSaid();

private:
    std::filesystem::path at(const char* name) const
    {
        return m_folder->filePath(QLatin1String(name)).toStdString();
    }
    void put(const char* name, const std::string& bytes) const
    {
        writeBytes(at("files") / name, bytes);
    }
    bool write(const std::vector<std::string>& names) const
    {
        return bool(writeZip(at("a.zip"), "top", at("files"), names));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstZipArchive::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void TstZipArchive::written_isReadBack()
{
    const std::string long_(40'000'000, 'x'); // more than one chunk
    put("empty", "");
    put("folder/对齐.txt", "你好");
    put("long", long_);
    QVERIFY(write({ "empty", "folder/对齐.txt", "long" }));
    const auto archive = ZipReader::open(at("a.zip"));
    QVERIFY2(archive, archive ? "" : archive.error().message.c_str());
    QCOMPARE(archive->names(),
        (std::vector<std::string> { "top/empty", "top/folder/对齐.txt", "top/long" }));
    QCOMPARE(*archive->read("top/empty"), std::string());
    QCOMPARE(*archive->read("top/folder/对齐.txt"), std::string("你好"));
    QVERIFY(*archive->read("top/long") == long_);
    const auto missing = archive->read("top/none");
    QVERIFY(!missing);
    QVERIFY(
        missing.error().message.find("a.zip': 'top/none' in it is missing") != std::string::npos);
}

void TstZipArchive::sameFiles_makeTheSameArchive()
{
    put("one", "1");
    QVERIFY(write({ "one" }));
    const std::string first = *readFile(at("a.zip"));
    QVERIFY(write({ "one" }));
    QVERIFY(*readFile(at("a.zip")) == first);
}

void TstZipArchive::unreadableFile_isNotPacked()
{
    put("one", "1");
    QVERIFY(!write({ "one", "two" }));
    QVERIFY(!writeZip(at("none/a.zip"), "top", at("files"), { "one" }));
}

/// Another program may have packed it anew.
void TstZipArchive::compressedFile_isReadUnlessItGrowsTooFar()
{
    put("text", "zip zip zip zip zip zip zip zip zip zip zip zip zip zip zip zip zip zip");
    put("log", std::string(1'000'000, '\0')); // of some hundred lines that are alike
    put("bomb", std::string(80'000'000, '\0'));
    QProcess python;
    python.setWorkingDirectory(QString::fromStdString(at("files")));
    python.start("python3", { "-m", "zipfile", "-c", "../a.zip", "text", "log", "bomb" });
    if (!python.waitForFinished() || python.exitCode() != 0)
        QSKIP("python3 is not there");
    const auto archive = ZipReader::open(at("a.zip"));
    QVERIFY(bool(archive));
    const auto text = archive->read("text");
    QVERIFY2(text, text ? "" : text.error().message.c_str());
    QCOMPARE(*text, *readFile(at("files") / "text"));
    const auto log = archive->read("log");
    QVERIFY(log && log->size() == 1'000'000);
    const auto bomb = archive->read("bomb");
    QVERIFY(!bomb && bomb.error().message.find("far more than the archive") != std::string::npos);
}

void TstZipArchive::changedByte_isFoundByTheCrc()
{
    put("one", "needle");
    QVERIFY(write({ "one" }));
    std::string bytes = *readFile(at("a.zip"));
    bytes[bytes.find("needle")] = 'N';
    writeBytes(at("a.zip"), bytes);
    const auto archive = ZipReader::open(at("a.zip"));
    QVERIFY(bool(archive));
    const auto read = archive->read("top/one");
    QVERIFY(!read && read.error().message.find("'top/one' in it is damaged") != std::string::npos);
}

void TstZipArchive::truncatedArchive_isRefusedAtEveryLength()
{
    put("one", "1");
    put("two", "22");
    QVERIFY(write({ "one", "two" }));
    const std::string whole = *readFile(at("a.zip"));
    for (size_t length = 0; length < whole.size(); ++length) {
        writeBytes(at("a.zip"), whole.substr(0, length));
        QVERIFY2(!ZipReader::open(at("a.zip")), qPrintable(QString::number(length)));
    }
}

void TstZipArchive::whatIsNoArchive_isSaid_data()
{
    QTest::addColumn<QString>("words");
    QTest::newRow("text") << "it is no whole zip archive; copy it again";
    QTest::newRow("folder") << "it is no whole zip archive";
    QTest::newRow("nowhere") << "No such file or directory";
}

void TstZipArchive::whatIsNoArchive_isSaid()
{
    QFETCH(QString, words);
    writeBytes(at("text"), "no archive");
    std::filesystem::create_directory(at("folder"));
    const auto archive = ZipReader::open(at(QTest::currentDataTag()));
    QVERIFY(!archive);
    const QString said = QString::fromStdString(archive.error().message);
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY2(said.contains(QString::fromStdString(at(QTest::currentDataTag()))), qPrintable(said));
}

EARWRIGHT_TEST(TstZipArchive)
#include "tst_zip_archive.moc"
