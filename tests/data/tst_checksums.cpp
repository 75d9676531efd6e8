#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/base/text.h"
#include "core/data/prepare/checksums.h"
#include "core/data/prepare/parts.h"

#include <QTest>

#include <limits>

using namespace earwright;
using namespace earwright::tests;
using data::Corpus;

/// Checksums that a corpus brings, and those that are recorded.
class TstChecksums : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void checksums_areRecordedAndVerified();
    void corpusOwnList_isNeverWritten();
    void ownRecord_isNoListOfTheCorpus();
    void taggedSums_areVerified();
    void unreadableLines_areTold_data();
    void unreadableLines_areTold();
    void stop_leavesNoRecord();
    void listedAudioThatIsNotThere_isLeftOut();
    void recordings_areCheckedForTheirSegments();
    void changedFile_isToldEachTime();
    void fileMendedAsTheCorpusHasIt_isNoChange();
    void list_isFoundWhicheverFolderIsNamed_data();
    void list_isFoundWhicheverFolderIsNamed();
    void flacDamagedInItsMiddle_isLeftOut();
    void damageInTheMiddle_isFoundWithAndWithoutSums();
};

void TstChecksums::checksums_areRecordedAndVerified()
{
    QVERIFY(makeLibriSpeech("sums"));
    const std::string good = "LibriSpeech/dev-clean/84/12/84-12-0000.flac";
    const std::string bad = "LibriSpeech/dev-other/85/12/85-12-0000.flac";
    QVERIFY(text(path("sums/SHA256SUMS"),
        sha256Hex(*readFile(path("sums") / good)) + "  ./" + good + "\n" + std::string(64, '0')
            + " *" + bad + "\n"));
    const std::filesystem::path record = path("sums out/checksums.sha256");
    const auto summed
        = [&](Corpus& corpus) { return data::checkSums(corpus, path("sums"), record, always); };
    auto corpus = read("librispeech", "sums");
    QVERIFY2(corpus, why(corpus));
    const Status first = summed(*corpus);
    QVERIFY2(first, why(first));
    QCOMPARE(corpus->splits.at("dev-clean").size(), size_t(1));
    QVERIFY(corpus->splits.at("dev-other").empty());
    QVERIFY(corpus->dropped.at("audio that differs from the corpus's checksum")
        == (Names { "85-12-0000" }));
    QCOMPARE(corpus->notes.back(),
        "checksums: 1 as the corpus has them, 5 recorded in " + record.string());
    QVERIFY(readFile(record)->find(sha256Hex(*readFile(path("sums") / good)) + "  " + good + "\n")
        != std::string::npos);
    const auto report = data::writeParts(*corpus, path("sums out"));
    QVERIFY2(report, why(report));
    const std::string note = "no dev-other.csv is written: all its utterances were left out";
    QVERIFY(std::find(report->notes.begin(), report->notes.end(), note) != report->notes.end());
    QVERIFY(!std::filesystem::exists(path("sums out/dev-other.csv")));

    const std::string changed = "LibriSpeech/train-other-500/20/5/20-5-0000.flac";
    QVERIFY(tests::writeSound(path("sums") / changed, tests::sine(kSamples, 900, kRateHz),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    auto again = read("librispeech", "sums");
    const Status second = summed(*again);
    QVERIFY2(second, why(second));
    QCOMPARE(again->notes.size(), size_t(2));
    QCOMPARE(again->notes.front(),
        "changed since '" + record.string() + "' was written: 1 (" + changed
            + "); it keeps the earlier checksums: if these changes are meant, remove it, or their "
              "lines in it");
}

/// Until its line is taken out of the record, or the file is what it was.
void TstChecksums::changedFile_isToldEachTime()
{
    QVERIFY(makeLibriSpeech("each"));
    const std::filesystem::path file = path("each/LibriSpeech/train-other-500/20/5/20-5-0000.flac");
    const std::filesystem::path record = path("each out/checksums.sha256");
    const auto numNotes = [&] {
        auto corpus = read("librispeech", "each");
        const Status summed = data::checkSums(*corpus, path("each"), record, always);
        return summed ? corpus->notes.size() : 0;
    };
    QCOMPARE(numNotes(), size_t(1));
    const std::string before = *readFile(record);
    const std::string whole = *readFile(file);
    QVERIFY(writeSound(file, sine(kSamples, 900, kRateHz),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(numNotes(), size_t(2));
    QCOMPARE(*readFile(record), before);
    const std::string changed = *readFile(file);
    QVERIFY(text(file, whole));
    QCOMPARE(numNotes(), size_t(1));
    QVERIFY(text(file, changed));
    QVERIFY(std::filesystem::remove(record));
    QCOMPARE(numNotes(), size_t(1));
    QVERIFY(*readFile(record) != before);
}

/// Whoever mends a file after the corpus's own list need not tell us.
void TstChecksums::fileMendedAsTheCorpusHasIt_isNoChange()
{
    QVERIFY(makeLibriSpeech("mended"));
    const std::string name = "LibriSpeech/dev-clean/84/12/84-12-0000.flac";
    const std::string whole = *readFile(path("mended") / name);
    QVERIFY(text(path("mended/SHA256SUMS"), sha256Hex(whole) + "  " + name + "\n"));
    const std::filesystem::path record = path("mended out/checksums.sha256");
    QVERIFY(sound(path("mended") / name));
    auto corpus = read("librispeech", "mended");
    QVERIFY(data::checkSums(*corpus, path("mended"), record, always));
    QVERIFY(corpus->splits.at("dev-clean").empty());
    QVERIFY(text(path("mended") / name, whole));
    auto again = read("librispeech", "mended");
    QVERIFY(data::checkSums(*again, path("mended"), record, always));
    QCOMPARE(again->splits.at("dev-clean").size(), size_t(1));
    QCOMPARE(again->notes.size(), size_t(1));
    QVERIFY(readFile(record)->find(sha256Hex(whole)) != std::string::npos);
}

void TstChecksums::list_isFoundWhicheverFolderIsNamed_data()
{
    QTest::addColumn<QString>("listed");
    QTest::addColumn<QString>("named");
    for (const char* listed : { "both", "both/LibriSpeech" })
        for (const char* named : { "both", "both/LibriSpeech", "both/LibriSpeech/" })
            QTest::newRow((std::string(listed) + " " + named).c_str()) << listed << named;
}

/// The one that is named, or the other that would do.
void TstChecksums::list_isFoundWhicheverFolderIsNamed()
{
    QFETCH(QString, listed);
    QFETCH(QString, named);
    QVERIFY(makeLibriSpeech("both"));
    std::filesystem::remove(path("both/SHA256SUMS"));
    std::filesystem::remove(path("both/LibriSpeech/SHA256SUMS"));
    const std::string prefix = listed == "both" ? "LibriSpeech/" : "";
    QVERIFY(text(path(listed.toStdString()) / "SHA256SUMS",
        std::string(64, '0') + "  " + prefix + "dev-other/85/12/85-12-0000.flac\n"));
    auto corpus = read("librispeech", named.toStdString());
    QVERIFY2(corpus, why(corpus));
    const Status summed = data::checkSums(
        *corpus, path(named.toStdString()), path("both out/checksums.sha256"), always);
    QVERIFY2(summed, why(summed));
    QVERIFY(corpus->dropped.at("audio that differs from the corpus's checksum")
        == (Names { "85-12-0000" }));
}

/// Its last sample is there, and libsndfile says nothing of silence in its middle.
void TstChecksums::flacDamagedInItsMiddle_isLeftOut()
{
    QVERIFY(makeLibriSpeech("damaged"));
    const std::filesystem::path file = path("damaged/LibriSpeech/dev-other/85/12/85-12-0000.flac");
    QVERIFY(writeSound(file, sine(40000, 300, kRateHz),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    std::string bytes = *readFile(file);
    bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
    QVERIFY(text(file, bytes));
    auto corpus = read("librispeech", "damaged");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("dev-other").size(), size_t(1));
    const std::filesystem::path record = path("damaged out/checksums.sha256");
    const Status summed = data::checkSums(*corpus, path("damaged"), record, always);
    QVERIFY2(summed, why(summed));
    QVERIFY(corpus->splits.at("dev-other").empty());
    QVERIFY(corpus->dropped.at("audio that cannot be read")
        == (Names { "85-12-0000: it is cut short or corrupt after 35904 of 40000 samples" }));
    QVERIFY(readFile(record)->find("85-12-0000") == std::string::npos); // or mending were a change
}

void TstChecksums::damageInTheMiddle_isFoundWithAndWithoutSums()
{
    std::vector<float> samples = noise(24000);
    samples[9000] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(sound(path("mixed/good.wav")));
    QVERIFY(writeSound(path("mixed/nan.wav"), samples,
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }));
    QVERIFY(writeSound(path("mixed/cut.ogg"), noise(48000),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_OGG | SF_FORMAT_VORBIS }));
    QVERIFY(damage(path("mixed/cut.ogg")));
    Corpus corpus;
    for (const char* name : { "good.wav", "nan.wav", "cut.ogg" })
        QVERIFY(corpus.add("train",
            { .id = name,
                .wav = path("mixed").string() + "/" + name,
                .speaker = "",
                .text = "a" }));
    for (const bool hasSums : { true, false }) {
        Corpus each = corpus;
        const Status read = hasSums
            ? data::checkSums(each, path("mixed"), path("mixed out/checksums.sha256"), always)
            : data::dropDamaged(each, path("mixed"), always);
        QVERIFY2(read, why(read));
        QCOMPARE(each.splits.at("train").size(), size_t(1));
        const Names& told = each.dropped.at("audio that cannot be read");
        QCOMPARE(told.size(), size_t(2));
        QCOMPARE(told[0],
            std::string("nan.wav: it holds samples that are NaN or infinite (nan at 1.125 s)"));
        QVERIFY2(
            told[1].starts_with("cut.ogg: it is cut short or corrupt after "), told[1].c_str());
    }
    Corpus stopped = corpus;
    QVERIFY(!data::dropDamaged(stopped, path("mixed"), [] { return false; }));
}

/// Where the manifests are written into the corpus's folder.
void TstChecksums::corpusOwnList_isNeverWritten()
{
    QVERIFY(makeLibriSpeech("own"));
    const std::string list
        = std::string(64, '0') + "  LibriSpeech/dev-other/85/12/85-12-0000.flac\n";
    const std::filesystem::path shipped = path("own/checksums.sha256");
    const std::filesystem::path ours = path("own/checksums.earwright.sha256");
    QVERIFY(text(shipped, list));
    for (int i = 0; i < 2; ++i) {
        auto corpus = read("librispeech", "own");
        const Status summed = data::checkSums(*corpus, path("own"), shipped, always);
        QVERIFY2(summed, why(summed));
        QCOMPARE(*readFile(shipped), list);
        QVERIFY(corpus->dropped.at("audio that differs from the corpus's checksum")
            == (Names { "85-12-0000" }));
        QVERIFY(corpus->notes
            == (Names { "checksums: 0 as the corpus has them, 5 recorded in " + ours.string() }));
    }
    QVERIFY(text(ours, list));
    auto corpus = read("librispeech", "own");
    const Status summed = data::checkSums(*corpus, path("own"), shipped, always);
    QVERIFY(!summed);
    QVERIFY2(QString(why(summed))
                 .endsWith("were not written by earwright prepare: name another folder with --out"),
        why(summed));
    QCOMPARE(*readFile(ours), list);
}

void TstChecksums::ownRecord_isNoListOfTheCorpus()
{
    QVERIFY(makeLibriSpeech("within"));
    const std::filesystem::path record = path("within/checksums.sha256");
    auto corpus = read("librispeech", "within");
    QVERIFY(data::checkSums(*corpus, path("within"), record, always));
    const std::filesystem::path changed
        = path("within/LibriSpeech/train-other-500/20/5/20-5-0000.flac");
    QVERIFY(tests::writeSound(changed, tests::sine(kSamples, 900, kRateHz),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    auto again = read("librispeech", "within");
    QVERIFY(data::checkSums(*again, path("within"), record, always));
    QCOMPARE(again->splits.at("train-other-500").size(), size_t(1));
    QCOMPARE(again->notes.size(), size_t(2));
    QVERIFY(again->notes.front().starts_with("changed since"));
    QVERIFY(!std::filesystem::exists(path("within/checksums.earwright.sha256")));
}

/// As `sha256sum --tag` and BSD write them.
void TstChecksums::taggedSums_areVerified()
{
    QVERIFY(makeLibriSpeech("tag"));
    const std::string good = "LibriSpeech/dev-clean/84/12/84-12-0000.flac";
    const std::string bad = "LibriSpeech/dev-other/85/12/85-12-0000.flac";
    QVERIFY(text(path("tag/SHA256SUMS"),
        "SHA256 (" + good + ") = " + sha256Hex(*readFile(path("tag") / good)) + "\r\nSHA256 (./"
            + bad + ") = " + std::string(64, '0') + "\n"));
    auto corpus = read("librispeech", "tag");
    const std::filesystem::path record = path("tag out/checksums.sha256");
    const Status summed = data::checkSums(*corpus, path("tag"), record, always);
    QVERIFY2(summed, why(summed));
    QVERIFY(corpus->dropped.at("audio that differs from the corpus's checksum")
        == (Names { "85-12-0000" }));
    QVERIFY(corpus->notes
        == (Names { "checksums: 1 as the corpus has them, 5 recorded in " + record.string() }));
}

void TstChecksums::unreadableLines_areTold_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("note");
    const QString md5 = QString(32, 'a') + "  a.flac\n";
    const QString sum = QString(64, '0') + "  LibriSpeech/dev-other/85/12/85-12-0000.flac\n";
    QTest::newRow("MD5") << md5 + md5
                         << "line 1: expected a SHA-256 of 64 digits and a path; "
                            "lines passed over: 2";
    QTest::newRow("tagged MD5") << "MD5 (a.flac) = " + QString(32, 'a')
                                << "line 1: expected a SHA-256 of 64 digits and a path; "
                                   "lines passed over: 1";
    QTest::newRow("no path") << "\n# sums\n" + QString(64, '0') + "\n" + sum
                             << "line 3: expected a SHA-256 of 64 digits and a path; "
                                "lines passed over: 1";
    QTest::newRow("no digits") << sum + QString(64, 'x') + "  a.flac\n"
                               << "line 2: expected a SHA-256 of 64 digits and a path; "
                                  "lines passed over: 1";
}

/// The other lines hold.
void TstChecksums::unreadableLines_areTold()
{
    QFETCH(QString, list);
    QFETCH(QString, note);
    QVERIFY(makeLibriSpeech("torn"));
    const std::filesystem::path shipped = path("torn/sha256sum.txt");
    const std::filesystem::path record = path("torn out/checksums.sha256");
    QVERIFY(text(shipped, list.toStdString()));
    auto corpus = read("librispeech", "torn");
    const Status summed = data::checkSums(*corpus, path("torn"), record, always);
    QVERIFY2(summed, why(summed));
    QVERIFY(corpus->notes
        == (Names { "'" + shipped.string() + "', " + note.toStdString(),
            "checksums: 0 as the corpus has them, 5 recorded in " + record.string() }));
    QCOMPARE(corpus->dropped.contains("audio that differs from the corpus's checksum"),
        list.contains("LibriSpeech"));
}

void TstChecksums::stop_leavesNoRecord()
{
    QVERIFY(makeLibriSpeech("stopped"));
    auto corpus = read("librispeech", "stopped");
    QVERIFY(!data::checkSums(
        *corpus, path("stopped"), path("stopped out/checksums.sha256"), [] { return false; }));
    QVERIFY(!std::filesystem::exists(path("stopped out")));
}

/// But in archives that were not unpacked, and what is no audio.
void TstChecksums::listedAudioThatIsNotThere_isLeftOut()
{
    QVERIFY(makeLibriSpeech("absent"));
    std::string list;
    for (const char* name : { "dev-clean/84/12/84-12-0001.flac", "dev-clean/84/12/84-12-0000.flac",
             "dev-clean/84/12/README", "test-clean/1/2/1-2-0000.flac" })
        list += std::string(64, '0') + "  LibriSpeech/" + name + "\n";
    QVERIFY(text(path("absent/SHA256SUMS"), list));
    auto corpus = read("librispeech", "absent");
    const Status summed
        = data::checkSums(*corpus, path("absent"), path("absent out/checksums.sha256"), always);
    QVERIFY2(summed, why(summed));
    const auto report = data::writeParts(*corpus, path("absent out"));
    QVERIFY2(report, why(report));
    QVERIFY(report->dropped.at("audio of the corpus's checksums that is not there")
        == (Names { "LibriSpeech/dev-clean/84/12/84-12-0001.flac" }));
}

/// A corpus ships recordings, what is cut from them is ours.
void TstChecksums::recordings_areCheckedForTheirSegments()
{
    const std::filesystem::path root = path("seg");
    QVERIFY(sound(root / "audio/good.wav") && sound(root / "audio/bad.wav"));
    QVERIFY(text(root / "data/train/wav.scp", "r1 audio/good.wav\nr2 audio/bad.wav\n"));
    QVERIFY(text(root / "data/train/segments", "u1 r1 0 0.1\nu2 r1 0.1 0.2\nu3 r2 0 0.1\n"));
    QVERIFY(text(root / "data/train/text", "u1 A\nu2 B\nu3 C\n"));
    const std::string good = sha256Hex(*readFile(root / "audio/good.wav"));
    QVERIFY(text(root / "data/SHA256SUMS",
        good + "  ../audio/good.wav\n" + std::string(64, '0') + "  ../audio/bad.wav\n"));
    auto corpus = read("kaldi", "seg/data");
    QVERIFY2(corpus, why(corpus));
    const std::filesystem::path record = path("seg out/checksums.sha256");
    const Status summed = data::checkSums(*corpus, root / "data", record, always);
    QVERIFY2(summed, why(summed));
    QCOMPARE(corpus->splits.at("train").size(), size_t(2));
    QVERIFY(
        corpus->dropped.at("audio that differs from the corpus's checksum") == (Names { "u3" }));
    QCOMPARE(corpus->notes.back(),
        "checksums: 1 as the corpus has them, 5 recorded in " + record.string());
    QVERIFY(readFile(record)->find(good + "  " + (root / "audio/good.wav").string() + "\n")
        != std::string::npos);
    QVERIFY(readFile(record)->find("segments/train/u1.wav\n") != std::string::npos);
    auto again = read("kaldi", "seg/data");
    QVERIFY(data::checkSums(*again, root / "data", record, always));
    QCOMPARE(again->notes.size(), size_t(1)); // nothing has changed since
}

EARWRIGHT_TEST(TstChecksums)
#include "tst_checksums.moc"
