#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/base/text.h"
#include "core/data/prepare/parts.h"

#include <QProcess>
#include <QTest>

#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <unistd.h>

using namespace earwright;
using namespace earwright::tests;

/// AISHELL-1, with speakers' folders and as it is published.
class TstAishell1 : public QObject, private CorpusFolder {
    Q_OBJECT

    std::filesystem::path wav() const { return path("a/data_aishell/wav"); }
    bool transcribe(const std::string& lines) const
    {
        return text(path("a/data_aishell/transcript/aishell_transcript_v0.8.txt"), lines);
    }
    bool pack(const std::string& archive, const std::vector<std::string>& words) const;
    bool packAway(const std::string& split, const std::string& speaker) const;

private Q_SLOTS:
    void init() { std::filesystem::remove_all(path("a")); }
    void corpus_isReadByItsTranscripts();
    void speakers_areUnpacked();
    void restOfAnUnpacking_isReplaced();
    void badArchive_isNamed_data();
    void badArchive_isNamed();
    void archiveWithoutItsSpeaker_isLeftOut();
    void unpackingByAnother_isTold();
};

/// By tar within the folder wav.
bool TstAishell1::pack(const std::string& archive, const std::vector<std::string>& words) const
{
    QStringList all { "-C", QString::fromStdString(wav().string()), "-czf",
        QString::fromStdString((wav() / archive).string()) };
    for (const std::string& word : words)
        all << QString::fromStdString(word);
    return QProcess::execute("tar", all) == 0;
}

bool TstAishell1::packAway(const std::string& split, const std::string& speaker) const
{
    const std::string name = split + '/' + speaker;
    return pack(speaker + ".tar.gz", { "./" + name })
        && std::filesystem::remove_all(wav() / name) > 0;
}

void TstAishell1::corpus_isReadByItsTranscripts()
{
    const std::filesystem::path root = path("a1/data_aishell");
    for (const char* wav : { "train/S0002/BAC009S0002W0122.wav", "train/S0002/BAC009S0002W0124.wav",
             "dev/S0724/BAC009S0724W0121.wav", "test/S0764/BAC009S0764W0121.wav" })
        QVERIFY(sound(root / "wav" / wav));
    QVERIFY(text(root / "transcript/aishell_transcript_v0.8.txt",
        "\xef\xbb\xbf" // some editor's
        "BAC009S0002W0122 而 对 楼市\nBAC009S0002W0123 没有 声音\nBAC009S0724W0121 广州市\n"
        "BAC009S0764W0121 甚至  出现\n"));
    const auto corpus = read("aishell1", "a1");
    QVERIFY2(corpus, why(corpus));
    const auto report = data::writeParts(*corpus, path("a1 out"));
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("a1 out/train.csv")) == (Names { "BAC009S0002W0122 S0002 而对楼市" }));
    QVERIFY(rowsOf(path("a1 out/test.csv")) == (Names { "BAC009S0764W0121 S0764 甚至出现" }));
    QVERIFY(report->dropped
        == (std::map<std::string, Names> { { "no audio file", { "BAC009S0002W0123" } },
            { "no transcript", { "BAC009S0002W0124" } } }));
    const auto kept = data::readCorpus("aishell1", { .folder = root, .keepText = true }, always);
    QVERIFY2(kept, why(kept));
    QCOMPARE(kept->splits.at("train").front().text, "而 对 楼市");
}

/// As data_aishell.tgz leaves it.
void TstAishell1::speakers_areUnpacked()
{
    QVERIFY(transcribe("BAC009S0002W0122 而 对\nBAC009S0724W0121 广州市\nBAC009S0764W0121 甚至\n"));
    QVERIFY(sound(wav() / "train/S0002/BAC009S0002W0122.wav"));
    QVERIFY(sound(wav() / "dev/S0724/BAC009S0724W0121.wav"));
    QVERIFY(sound(wav() / "test/S0764/BAC009S0764W0121.wav"));
    QVERIFY(packAway("train", "S0002") && packAway("dev", "S0724") && packAway("test", "S0764"));
    std::filesystem::remove_all(wav() / "train");
    for (int time = 0; time < 2; ++time) { // the second finds them unpacked
        const auto corpus = read("aishell1", "a");
        QVERIFY2(corpus, why(corpus));
        QVERIFY(corpus->dropped.empty());
        QVERIFY(idsOf(*corpus)
            == (Names { "BAC009S0002W0122", "BAC009S0724W0121", "BAC009S0764W0121" }));
        QVERIFY(!std::filesystem::exists(wav() / ".unpacked.earwright.tmp"));
    }
}

/// Of a process that was killed.
void TstAishell1::restOfAnUnpacking_isReplaced()
{
    QVERIFY(transcribe("BAC009S0002W0122 而 对\n"));
    QVERIFY(sound(wav() / "train/S0002/BAC009S0002W0122.wav"));
    QVERIFY(packAway("train", "S0002"));
    QVERIFY(text(wav() / ".unpacked.earwright.tmp/train/S0002/BAC009S0002W0122.wav", "half"));
    const auto corpus = read("aishell1", "a");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus) == (Names { "BAC009S0002W0122" }));
}

void TstAishell1::badArchive_isNamed_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no archive") << ""
                                << "Unrecognized archive format";
    QTest::newRow("cut short") << "train"
                               << "truncated";
    QTest::newRow("a link") << "link"
                            << "it holds 'link'";
    QTest::newRow("a name that leads out") << "-P ../wav/train"
                                           << "it holds '../wav/train/";
}

void TstAishell1::badArchive_isNamed()
{
    QFETCH(QString, words);
    QFETCH(QString, reason);
    QVERIFY(transcribe("BAC009S0002W0122 而 对\n"));
    const std::filesystem::path file = wav() / "train/S0002/BAC009S0002W0122.wav";
    QVERIFY(sound(file));
    std::filesystem::create_symlink("/etc", wav() / "link");
    const std::filesystem::path archive = wav() / "S0003.tar.gz";
    if (words.isEmpty())
        QVERIFY(text(archive, "packed"));
    else
        QVERIFY(pack("S0003.tar.gz", split(words.toStdString(), ' ')));
    if (words == "train")
        std::filesystem::resize_file(archive, std::filesystem::file_size(archive) / 2);
    const auto corpus = read("aishell1", "a");
    QVERIFY(!corpus);
    const QString message = QString::fromStdString(corpus.error().message);
    QVERIFY2(message.startsWith("cannot unpack '") && message.contains("S0003.tar.gz")
            && message.contains(reason),
        qPrintable(message));
    QVERIFY(std::filesystem::exists(file));
    QVERIFY(!std::filesystem::exists(wav() / ".unpacked.earwright.tmp"));
}

void TstAishell1::archiveWithoutItsSpeaker_isLeftOut()
{
    QVERIFY(transcribe("BAC009S0002W0122 而 对\n"));
    QVERIFY(sound(wav() / "train/S0002/BAC009S0002W0122.wav"));
    QVERIFY(text(wav() / "notes.txt", "none"));
    QVERIFY(pack("S0003.tar.gz", { "notes.txt" }));
    const auto corpus = read("aishell1", "a");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "archives in wav without their speaker's folder", { "S0003.tar.gz" } } }));
}

/// Then none of what it writes is taken for a whole speaker; where some are there the corpus is
/// read without the others.
void TstAishell1::unpackingByAnother_isTold()
{
    QVERIFY(transcribe("BAC009S0002W0122 而 对\n"));
    QVERIFY(text(wav() / "S0003.tar.gz", "packed"));
    const std::filesystem::path staging = wav() / ".unpacked.earwright.tmp";
    std::filesystem::create_directory(staging);
    const int other = ::open(staging.c_str(), O_RDONLY | O_DIRECTORY);
    QVERIFY(other >= 0 && ::flock(other, LOCK_EX) == 0);
    const auto none = read("aishell1", "a");
    QVERIFY(!none);
    QVERIFY2(none.error().message.ends_with("another program unpacks them"), why(none));
    QVERIFY(sound(wav() / "train/S0002/BAC009S0002W0122.wav"));
    const auto some = read("aishell1", "a");
    ::close(other);
    QVERIFY2(some, why(some));
    QVERIFY(some->dropped
        == (std::map<std::string, Names> {
            { "archives in wav that could not be unpacked: another program unpacks them",
                { "S0003.tar.gz" } } }));
}

EARWRIGHT_TEST(TstAishell1)
#include "tst_aishell1.moc"
