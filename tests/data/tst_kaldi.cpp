#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/audio.h"
#include "core/data/prepare/cut.h"
#include "core/data/prepare/parts.h"

#include <QTest>

#include <map>

using namespace earwright;
using namespace earwright::tests;

namespace {

const std::string kLacksMost = "a segment of which its recording lacks most";
const std::string kNoSegment = "no line of segments: ID RECORDING BEGIN END [CHANNEL]";
const std::string kNoRelative = "no audio file (relative paths begin at --audio-root)";

} // namespace

/// Folders of Kaldi: whole files, segments, and what is refused.
class TstKaldi : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void kaldiFolders_areParts();
    void parts_areGroupedByTheirNames();
    void kaldiFolder_isOnePartByItself();
    void kaldiFolder_isNamedWhereverItIsReached();
    void segments_areCutExactly();
    void segmentsOfGsm_areCutExactly();
    void segments_areOfTheirChannel();
    void segments_haveTheirOwnFiles();
    void segmentWhoseNameIsTooLong_isLeftOutAlone();
    void commandsThatOnlyUnpack_arePaths_data();
    void commandsThatOnlyUnpack_arePaths();
    void commandForOneChannel_isLeftOutWhereThereAreTwo();
    void rowsThatCannotBeUsed_areLeftOut();
    void folderWithoutText_isLeftOutBesideOthers();
    void sharedKaldiFolders_giveTheirManifests();
};

void TstKaldi::kaldiFolders_areParts()
{
    const std::filesystem::path root = path("k");
    for (const char* wav : { "a", "b", "c" })
        QVERIFY(sound(root / "audio" / (std::string(wav) + ".wav")));
    QVERIFY(text(root / "data/train/wav.scp",
        "u1 audio/a.wav\nu2\t" + (root / "audio/b.wav").string()
            + "\nu3 none.wav\nu4 audio/c.wav\n"));
    QVERIFY(text(root / "data/train/text", "u1 ONE\nu2 TWO  TWO\nu3 THREE\nu5 FIVE\nu6\n"));
    QVERIFY(text(root / "data/train/utt2spk", "u1 s1\nu2 s2\n"));
    QVERIFY(text(root / "data/eval2000/wav.scp", "v1 audio/c.wav\n"));
    QVERIFY(text(root / "data/eval2000/text", "v1 SIX\n"));
    const auto corpus = read("kaldi", "k/data");
    QVERIFY2(corpus, why(corpus));
    const auto report = data::writeParts(*corpus, path("k out"));
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("k out/train.csv")) == (Names { "u1 s1 ONE", "u2 s2 TWO  TWO" }));
    QVERIFY(rowsOf(path("k out/eval2000.csv")) == (Names { "v1  SIX" }));
    QVERIFY(rowsOf(path("k out/test.csv")) == (Names { "v1  SIX" }));
    QVERIFY(report->dropped
        == (std::map<std::string, Names> { { kNoRelative, { "u3" } }, { "no text", { "u6" } },
            { "no transcript", { "u4" } }, { "not in wav.scp", { "u5" } } }));
    QVERIFY(report->notes
        == (Names { "no dev.csv is written: there is no such part",
            "texts whose white space is not single blanks between words: 1 (u2)" }));
    const auto elsewhere = data::readCorpus("kaldi",
        { .folder = root / "data", .outFolder = path("k out"), .audioRoot = root / "audio" },
        always);
    QVERIFY2(elsewhere, why(elsewhere));
    QCOMPARE(elsewhere->splits.at("train").size(), size_t(1)); // the absolute one
    QVERIFY(elsewhere->dropped.contains("no audio file"));
}

void TstKaldi::parts_areGroupedByTheirNames()
{
    for (const char* train : { "train", "train_nodev", "train_no_dev", "train-clean-100" })
        QCOMPARE(data::groupOf(train), std::string("train"));
    for (const char* dev : { "dev", "train_dev", "test_dev93", "valid", "val", "cv_dev93" })
        QCOMPARE(data::groupOf(dev), std::string("dev"));
    for (const char* test : { "test", "test_eval92", "eval2000", "eval" })
        QCOMPARE(data::groupOf(test), std::string("test"));
}

void TstKaldi::kaldiFolder_isOnePartByItself()
{
    QVERIFY(sound(path("mine/a.wav")));
    QVERIFY(text(path("mine/wav.scp"), "u1 a.wav\n"));
    QVERIFY(text(path("mine/text"), "u1 ONE\n"));
    const auto corpus = read("kaldi", "mine/");
    QVERIFY2(corpus, why(corpus));
    const auto report = data::writeParts(*corpus, path("mine out"));
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("mine out/mine.csv")) == (Names { "u1  ONE" }));
    QCOMPARE(report->splits.size(), size_t(1));
}

void TstKaldi::kaldiFolder_isNamedWhereverItIsReached()
{
    QVERIFY(sound(path("away/a.wav")));
    QVERIFY(text(path("away/wav.scp"), "u1 a.wav\n"));
    QVERIFY(text(path("away/text"), "u1 ONE\n"));
    QVERIFY(text(path("away/log/x"), ""));
    const auto corpus = read("kaldi", "away/log/..");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.begin()->first, std::string("away"));
}

/// As calls are recorded.
void TstKaldi::segmentsOfGsm_areCutExactly()
{
    const std::filesystem::path root = path("calls/train");
    QVERIFY(sound(root / "call.wav", SF_FORMAT_WAV | SF_FORMAT_GSM610));
    QVERIFY(text(root / "wav.scp", "r1 call.wav\n"));
    QVERIFY(text(root / "segments", "u1 r1 0 0.1\nu2 r1 0.3 0.45\n"));
    QVERIFY(text(root / "text", "u1 ONE\nu2 TWO\n"));
    const auto corpus = read("kaldi", "calls");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(2));
    const auto whole = data::readAudio(root / "call.wav", 0);
    QVERIFY2(whole, why(whole));
    const auto cut = data::readAudio(train[1].wav, 0);
    QVERIFY2(cut, why(cut));
    QVERIFY(cut->samples
        == std::vector<float>(whole->samples.begin() + 2400, whole->samples.begin() + 3600));
}

void TstKaldi::segments_areCutExactly()
{
    const std::filesystem::path root = path("seg/train");
    QVERIFY(flac(root / "long.flac"));
    QVERIFY(text(root / "wav.scp", "r1 long.flac\nr2 none.flac\n"));
    QVERIFY(text(root / "segments",
        "u1 r1 0.1 0.3\nu2 r1 0.25 -1\nu3 r1 0.4 1.01\nu4 r1 x 1\nu5 r1 0.3 0.2\nu6 r2 0 1\n"
        "u7\tr1\t0.4\t0.59\nu9 r1 0 0.1\nv1 r1 0.4 0.75\nv2 r1 0 0.504\n"));
    QVERIFY(text(
        root / "text", "u1 ONE\nu2 TWO\nu3 A\nu4 B\nu5 C\nu6 D\nu7 SEVEN\nu8 E\nv1 F\nv2 WHOLE\n"));
    const auto corpus = read("kaldi", "seg");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(4));
    const auto whole = data::readAudio(root / "long.flac", 0);
    const std::pair<size_t, size_t> ranges[]
        = { { 800, 2400 }, { 2000, 4000 }, { 3200, 4000 }, { 0, 4000 } };
    for (size_t i = 0; i < train.size(); ++i) {
        const auto cut = data::readAudio(train[i].wav, 0);
        QVERIFY2(cut, why(cut));
        const auto at = [&](size_t sample) {
            return whole->samples.begin() + static_cast<std::ptrdiff_t>(sample);
        };
        QVERIFY(cut->samples == std::vector<float>(at(ranges[i].first), at(ranges[i].second)));
        QCOMPARE(train[i].durationSeconds,
            static_cast<double>(ranges[i].second - ranges[i].first) / kRateHz);
    }
    const std::string file = (root / "segments").string();
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { kLacksMost, { "u3", "v1" } },
            { kNoSegment, { "u4, line 4 of " + file, "u5, line 5 of " + file } },
            { kNoRelative, { "u6" } }, { "no segment of a recording in wav.scp", { "u8" } },
            { "no transcript", { "u9" } } }));
    QCOMPARE(corpus->recordings.at(train[0].wav), (root / "long.flac").string());
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("seg out/segments/train")))
        files += entry.path().extension() == ".wav" ? 1 : 100; // no file half written
    QCOMPARE(files, 4);
    QVERIFY(corpus->notes == (Names { "kept, but shorter than the list says: 1 (u7)" }));
    QVERIFY(text(path("no folder"), ""));
    QVERIFY(!data::cutAudio(root / "long.flac", { 0, 0.1 }, path("no folder/a.wav")));
}

void TstKaldi::segments_areOfTheirChannel()
{
    const std::filesystem::path root = path("two/train");
    const std::vector<float> left = sine(kSamples, 300, kRateHz);
    const std::vector<float> right = sine(kSamples, 700, kRateHz);
    std::vector<float> both;
    for (size_t i = 0; i < kSamples; ++i)
        both.insert(both.end(), { left[i], right[i] });
    QVERIFY(text(root / "text", "u1 A\nu2 B\nu3 C\nu4 D\nu5 E\n"));
    QVERIFY(writeSound(root / "two.wav", both, { .sampleRateHz = kRateHz, .channels = 2 }));
    QVERIFY(text(root / "wav.scp", "r1 two.wav\n"));
    QVERIFY(text(root / "segments",
        "u1 r1 0 0.25 0\nu2 r1 0 0.25 1\nu3 r1 0 0.25\nu4 r1 0 0.25 2\nu5 r1 0 0.25 B\n"));
    const auto corpus = read("kaldi", "two");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(3));
    for (size_t i = 0; i < train.size(); ++i) {
        const auto cut = data::readAudio(train[i].wav, 0);
        QVERIFY2(cut, why(cut));
        QCOMPARE(data::readAudioInfo(train[i].wav)->channels, i == 2 ? 2 : 1);
        QCOMPARE(cut->samples.size(), size_t(2000));
        const float expected = i == 0 ? left[777]
            : i == 1                  ? right[777]
                                      : (left[777] + right[777]) / 2;
        QVERIFY(std::abs(cut->samples[777] - expected) < 1e-4F);
    }
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "a channel that its recording does not have", { "u4" } },
            { kNoSegment, { "u5, line 5 of " + (root / "segments").string() } } }));
}

/// Whatever an ID holds: slashes too, which some corpora have between speaker and utterance.
void TstKaldi::segments_haveTheirOwnFiles()
{
    const std::filesystem::path root = path("slash/train");
    QVERIFY(sound(root / "long.wav"));
    QVERIFY(text(root / "wav.scp", "r1 long.wav\n"));
    QVERIFY(text(root / "segments",
        "a/b r1 0 0.1\nc/b r1 0 0.2\na%2Fb r1 0 0.3\n../../../e r1 0 0.4\n.. r1 0 0.45\n"));
    QVERIFY(text(root / "text", "a/b A\nc/b B\na%2Fb C\n../../../e D\n.. E\n"));
    const auto corpus = read("kaldi", "slash");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(5));
    std::map<std::string, int> files;
    for (const data::Utterance& utterance : train) {
        ++files[utterance.wav];
        QCOMPARE(std::filesystem::path(utterance.wav).lexically_normal().parent_path(),
            path("slash out/segments/train"));
        const auto info = data::readAudioInfo(utterance.wav);
        QVERIFY2(info, why(info));
        QCOMPARE(static_cast<double>(info->frames) / kRateHz, utterance.durationSeconds);
    }
    QCOMPARE(files.size(), size_t(5));
}

void TstKaldi::segmentWhoseNameIsTooLong_isLeftOutAlone()
{
    const std::filesystem::path root = path("names/train");
    QVERIFY(sound(root / "a.wav"));
    const std::string longest(255 - std::string(".wav.tmp").size(), 'x');
    const std::string tooLong = longest + "y";
    std::string segments;
    std::string texts;
    for (const std::string& id : { std::string("a"), longest, tooLong, std::string("z") }) {
        segments += id + " r 0 0.1\n";
        texts += id + " ONE\n";
    }
    QVERIFY(text(root / "wav.scp", "r a.wav\n") && text(root / "segments", segments));
    QVERIFY(text(root / "text", texts));
    const auto corpus = read("kaldi", "names");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t(3));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID too long for a file name", { tooLong } } }));
}

void TstKaldi::commandsThatOnlyUnpack_arePaths_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("reason");
    const QString file = QString::fromStdString(path("pipe/a b.flac").string());
    const QString other = QString::fromStdString(path("pipe/b.flac").string());
    const auto row = [](const QString& command, const char* program = nullptr) {
        const QString reason = program == nullptr
            ? QString()
            : QString("a command in wav.scp (%1), and none is "
                      "executed: write its output to a file")
                  .arg(program);
        QTest::newRow(qPrintable(command)) << command << reason;
    };
    row("flac -c -d -s " + other + " |");
    row("/usr/bin/flac -cds '" + file + "' |");
    row("cat \"" + file + "\"|");
    row("sox " + other + " -t wav - |");
    row("cat ../b.flac |"); // from where the table lies, as any path
    row("sph2pipe -f wav " + other + " |");
    row("sph2pipe -f wav -p -c 1 '" + file + "' |"); // its only channel
    row("sph2pipe -f wav -p -c 2 " + other + " |", "channel 2 of 1");
    row("sph2pipe -f wav -t 0:1 " + other + " |", "sph2pipe: -t");
    row("sph2pipe -f sph -p " + other + " |", "sph2pipe: -f");
    row("sox " + other + " -r 8000 -t wav - |");
    row("sox -t flac " + other + " -r 16000 -b 16 -c 1 -t wav - |");
    row("sox " + other + " -t wav - rate -v 16k |");
    row("sox " + other + " -t wav - remix 1 |", "sox: remix");
    row("sox " + other + " -t wav - rate 16k speed 1.1 |", "sox: rate");
    row("sox -v 2 " + other + " -t wav - |", "sox: -v");
    row("sox -r 8000 " + other + " -t wav - |", "sox: -r");
    row("sox " + other + " -c 2 -t wav - |", "sox: -c");
    row("sox -t raw " + other + " -t wav - |", "sox: -t");
    row("sox " + other + " " + other + " -t wav - |", "sox");
    row("ffmpeg -i " + other + " -ar 16000 -f wav - |");
    row("/opt/ffmpeg -v 8 -nostdin -i '" + file + "' -ac 1 -acodec pcm_s16le -f wav pipe:1 |");
    row("ffmpeg -ss 1 -i " + other + " -f wav - |", "ffmpeg: -ss");
    row("ffmpeg -i " + other + " -af volume=2 -f wav - |", "ffmpeg: -af");
    row("ffmpeg -i " + other + " -t 1 -f wav - |", "ffmpeg: -t");
    row("ffmpeg -i " + other + " done |", "ffmpeg: done");
    row("ffmpeg " + other + " -f wav - |", "ffmpeg");
    row("gunzip -c " + other + ".gz |", "gunzip");
    row("sox |", "sox");
    row("flac |", "flac");
    row("| cat " + other, "cat");
    row("flac -s " + other + " |", "flac");
    row("flac -c -d -s " + other + " | sox - -t wav - |", "flac");
    row("cat " + other + "; touch done |", "cat");
    row("cat `touch done` |", "cat");
    row("cat '" + other + " |", "cat");
    row("cat - |", "cat");
    row("| touch done", "touch");
    QTest::newRow("|") << "|"
                       << "an empty command in wav.scp: write the path of a file";
}

void TstKaldi::commandsThatOnlyUnpack_arePaths()
{
    QFETCH(QString, command);
    QFETCH(QString, reason);
    QVERIFY(flac(path("pipe/a b.flac")) && flac(path("pipe/b.flac")));
    QVERIFY(text(path("pipe/train/wav.scp"), "u1 " + command.toStdString() + "\n"));
    QVERIFY(text(path("pipe/train/text"), "u1 A\n"));
    const auto corpus = read("kaldi", "pipe/train");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.count("train"), reason.isEmpty() ? size_t(1) : size_t(0));
    QVERIFY(!std::filesystem::exists("done"));
    if (!reason.isEmpty())
        QVERIFY(corpus->dropped
            == (std::map<std::string, Names> { { reason.toStdString(), { "u1" } } }));
}

/// Read as it lies, two channels would be averaged.
void TstKaldi::commandForOneChannel_isLeftOutWhereThereAreTwo()
{
    const std::filesystem::path root = path("call/train");
    QVERIFY(text(root / "wav.scp",
        "u1 sph2pipe -f wav -p -c 1 two.wav |\nu2 sph2pipe -f wav -c 2 two.wav |\n"
        "u3 sox two.wav -c 1 -t wav - |\n"));
    QVERIFY(text(root / "text", "u1 A\nu2 B\nu3 C\n"));
    QVERIFY(writeSound(root / "two.wav", sine(2 * kSamples, 300, kRateHz),
        { .sampleRateHz = kRateHz, .channels = 2 }));
    const auto corpus = read("kaldi", "call");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t(1));
    const std::string rest = " of 2), and none is executed: write its output to a file";
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "a command in wav.scp (channel 1" + rest, { "u1" } },
            { "a command in wav.scp (channel 2" + rest, { "u2" } } }));
}

/// Whatever is wrong with one row, the others are read.
void TstKaldi::rowsThatCannotBeUsed_areLeftOut()
{
    const std::filesystem::path root = path("rows/train");
    QVERIFY(sound(root / "a.wav") && sound(root / "long.wav"));
    QVERIFY(text(root / "empty.wav", ""));
    QVERIFY(text(root / "wav.scp", "u1 a.wav\nu2 raw.ark:17\nu3\nu1 long.wav\nu4 empty.wav\n"));
    QVERIFY(text(root / "text", "u1 A\nu2 B\nu3 C\nu1 AGAIN\nu4 D\n"));
    QVERIFY(text(root / "spk2utt", "s1 u1 u2\ns2\tu3\n"));
    const auto corpus = read("kaldi", "rows");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(1));
    QCOMPARE(train[0].text, "A");
    QCOMPARE(train[0].wav, (root / "a.wav").string());
    QCOMPARE(train[0].speaker, "s1");
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID used before",
                                               { "u1, line 4 of " + (root / "wav.scp").string(),
                                                   "u1, line 4 of " + (root / "text").string() } },
            { "an entry of an archive in wav.scp: unpack it to a file", { "u2" } },
            { "audio that cannot be read", { "u4: the file is empty (0 bytes)" } },
            { "no path in wav.scp", { "u3" } } }));
    QVERIFY(text(root / "segments", "u1 u3 0 0.1\nu2 u4 0 0.1\n"));
    const auto cut = read("kaldi", "rows");
    QVERIFY2(cut, why(cut));
    QVERIFY(cut->dropped.at("no path in wav.scp") == (Names { "u1" }));
    QVERIFY(cut->dropped.at("audio that cannot be read")
        == (Names { "u2: the file is empty (0 bytes)" }));
}

void TstKaldi::folderWithoutText_isLeftOutBesideOthers()
{
    QVERIFY(sound(path("torn/dev/a.wav")));
    for (const char* part : { "dev", "test", "train" })
        QVERIFY(text(path("torn") / part / "wav.scp", "u1 a.wav\n"));
    const auto none = read("kaldi", "torn");
    QVERIFY2(QString(why(none)).contains("dev/text': No such file"), why(none));
    QVERIFY(text(path("torn/dev/text"), "u1 A\n"));
    const auto corpus = read("kaldi", "torn");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("dev").size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "a part without a file text", { "test", "train" } } }));
    const auto alone = read("kaldi", "torn/test");
    QVERIFY2(QString(why(alone)).contains("text': No such file"), why(alone));
}

/// The folders and manifests beside each other in each real set say the same.
void TstKaldi::sharedKaldiFolders_giveTheirManifests()
{
    const std::filesystem::path sets = qEnvironmentVariable("EARWRIGHT_DATA_DIR").toStdString();
    if (sets.empty())
        QSKIP("set EARWRIGHT_DATA_DIR to a folder of prepared corpora");
    int numSets = 0;
    for (const auto& set : std::filesystem::directory_iterator(sets)) {
        if (!std::filesystem::exists(set.path() / "kaldi/train/wav.scp"))
            continue;
        ++numSets;
        const auto corpus = data::readCorpus(
            "kaldi", { .folder = set.path() / "kaldi", .outFolder = path("shared") }, always);
        QVERIFY2(corpus, why(corpus));
        QVERIFY2(corpus->dropped.empty(), set.path().c_str());
        for (const auto& [split, utterances] : corpus->splits) {
            const auto manifest
                = data::readManifest(set.path() / (split + ".csv"), set.path().string());
            QVERIFY2(manifest, why(manifest));
            std::map<std::string, const data::Utterance*> byId;
            for (const data::Utterance& utterance : *manifest)
                byId[utterance.id] = &utterance;
            QCOMPARE(utterances.size(), byId.size());
            for (const data::Utterance& utterance : utterances) {
                const data::Utterance* same = byId[utterance.id];
                QVERIFY2(same, utterance.id.c_str());
                QCOMPARE(utterance.text, same->text);
                QCOMPARE(utterance.speaker, same->speaker);
                QCOMPARE(utterance.wav, same->wav);
                QVERIFY(std::abs(utterance.durationSeconds - same->durationSeconds) < 0.011);
            }
        }
    }
    QVERIFY(numSets > 0);
}

EARWRIGHT_TEST(TstKaldi)
#include "tst_kaldi.moc"
