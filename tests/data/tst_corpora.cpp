#include "audio_fixture.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/check/corpus.h"
#include "core/data/audio.h"
#include "core/data/manifest.h"
#include "core/data/prepare/checksums.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/cut.h"
#include "core/data/prepare/missing.h"
#include "core/data/prepare/own_csv.h"
#include "core/data/prepare/parts.h"
#include "core/recipe/parse.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace kymo;
using data::Corpus;
using data::PrepareReport;

namespace {

using Names = std::vector<std::string>;

constexpr int kRateHz = 8000;
constexpr size_t kSamples = 4000; // half a second

bool sound(const std::filesystem::path& path, int format = SF_FORMAT_WAV | SF_FORMAT_PCM_16)
{
    std::filesystem::create_directories(path.parent_path());
    return test::writeSound(
        path, test::sine(kSamples, 300, kRateHz), { .sampleRateHz = kRateHz, .format = format });
}

bool flac(const std::filesystem::path& path)
{
    return sound(path, SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
}

bool text(const std::filesystem::path& path, const std::string& content)
{
    std::filesystem::create_directories(path.parent_path());
    return bool(writeFileAtomically(path, content));
}

bool always()
{
    return true;
}

template <class Value>
const char* why(const Result<Value>& result)
{
    return result ? "" : result.error().message.c_str();
}

/// "ID speaker text" of a manifest, in its order.
Names rowsOf(const std::filesystem::path& manifest)
{
    const auto utterances = data::readManifest(manifest, "");
    Names rows;
    if (!utterances)
        return { utterances.error().message };
    for (const data::Utterance& utterance : *utterances)
        rows.push_back(utterance.id + " " + utterance.speaker + " " + utterance.text);
    return rows;
}

} // namespace

/// Corpora from their published layouts.
class TstCorpora : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void libriSpeech_keepsItsParts();
    void aishell1_isReadByItsTranscripts();
    void packedAishell1_isToldToUnpack();
    void commonVoice_followsItsLists();
    void mp3_isReadByItsHeader();
    void kaldiFolders_areParts();
    void kaldiFolder_isOnePartByItself();
    void segments_areCutExactly();
    void wrongKaldiFolders_areRefused_data();
    void wrongKaldiFolders_areRefused();
    void jsonList_isCheckedAndNormalized();
    void sharedKaldiFolders_giveTheirManifests();
    void checksums_areRecordedAndVerified();
    void brokenChecksumLists_areRefused();
    void corpora_areKnownByTheirLayout();
    void missingManifests_areThePartsTheyAreNamedFor();
    void whatIsNoCorpus_isSaid_data();
    void whatIsNoCorpus_isSaid();
    void stop_leavesNothing();
    void same_isWrittenTwice();

private:
    std::filesystem::path path(const std::string& name) const
    {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    bool makeLibriSpeech(const std::string& name) const;
    Result<Corpus> read(const std::string& corpus, const std::string& folder) const
    {
        return data::readCorpus(
            corpus, { .folder = path(folder), .outFolder = path(folder + " out") }, always);
    }

    QTemporaryDir m_dir;
};

bool TstCorpora::makeLibriSpeech(const std::string& name) const
{
    const std::filesystem::path root = path(name) / "LibriSpeech";
    return text(root / "SPEAKERS.TXT", ";\n")
        && flac(root / "train-clean-100/19/198/19-198-0001.flac")
        && flac(root / "train-clean-100/19/198/19-198-0000.flac")
        && flac(root / "train-clean-100/19/198/19-198-0009.flac")
        && text(root / "train-clean-100/19/198/19-198.trans.txt",
            "19-198-0000 CHAPTER ONE\n19-198-0001 IT'S LATE\n19-198-0002 GONE\n19-198-0003\n")
        && flac(root / "train-other-500/20/5/20-5-0000.flac")
        && text(root / "train-other-500/20/5/20-5.trans.txt", "20-5-0000 OTHER\n")
        && flac(root / "dev-clean/84/12/84-12-0000.flac")
        && text(root / "dev-clean/84/12/84-12.trans.txt", "84-12-0000 CLEAN\n")
        && flac(root / "dev-other/85/12/85-12-0000.flac")
        && text(root / "dev-other/85/12/85-12.trans.txt", "85-12-0000 OTHER DEV\n");
}

void TstCorpora::libriSpeech_keepsItsParts()
{
    QVERIFY(makeLibriSpeech("ls"));
    const auto corpus = read("librispeech", "ls");
    QVERIFY2(corpus, why(corpus));
    const auto report = data::writeParts(*corpus, path("ls out"));
    QVERIFY2(report, why(report));
    Names parts;
    for (const PrepareReport::Split& split : report->splits)
        parts.push_back(split.name);
    QVERIFY(parts
        == (Names {
            "train", "train-clean-100", "train-other-500", "dev", "dev-clean", "dev-other" }));
    const Names clean { "19-198-0000 19 CHAPTER ONE", "19-198-0001 19 IT'S LATE" };
    QVERIFY(rowsOf(path("ls out/train-clean-100.csv")) == clean);
    QVERIFY(
        rowsOf(path("ls out/train.csv")) == (Names { clean[0], clean[1], "20-5-0000 20 OTHER" }));
    QVERIFY(rowsOf(path("ls out/dev-other.csv")) == (Names { "85-12-0000 85 OTHER DEV" }));
    QCOMPARE(data::readManifest(path("ls out/train.csv"), "")->front().durationSeconds, 0.5);
    QVERIFY(!std::filesystem::exists(path("ls out/test.csv")));
    QVERIFY(report->dropped
        == (std::map<std::string, Names> { { "no audio file", { "19-198-0002" } },
            { "no text", { "19-198-0003" } }, { "no transcript", { "19-198-0009" } },
            { "no such part in this folder", { "test" } } }));
    QVERIFY2(report->text().find("train-clean-100      2 utterances      0.0 minutes")
            != std::string::npos,
        report->text().c_str());
}

void TstCorpora::aishell1_isReadByItsTranscripts()
{
    const std::filesystem::path root = path("a1/data_aishell");
    for (const char* wav : { "train/S0002/BAC009S0002W0122.wav", "train/S0002/BAC009S0002W0124.wav",
             "dev/S0724/BAC009S0724W0121.wav", "test/S0764/BAC009S0764W0121.wav" })
        QVERIFY(sound(root / "wav" / wav));
    QVERIFY(text(root / "transcript/aishell_transcript_v0.8.txt",
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

void TstCorpora::packedAishell1_isToldToUnpack()
{
    const std::filesystem::path root = path("packed/data_aishell");
    QVERIFY(text(root / "transcript/aishell_transcript_v0.8.txt", "BAC009S0002W0122 而 对\n"));
    QVERIFY(text(root / "wav/S0002.tar.gz", "packed"));
    const auto corpus = read("aishell1", "packed");
    QVERIFY(!corpus);
    QVERIFY2(corpus.error().message.find("are not unpacked: cd into it") != std::string::npos,
        why(corpus));
}

void TstCorpora::commonVoice_followsItsLists()
{
    const std::filesystem::path root = path("cv");
    for (const char* clip : { "a", "b", "c", "d", "e" })
        QVERIFY(sound(root / "clips" / (std::string(clip) + ".wav")));
    const std::string header = "client_id\tpath\tsentence_id\tsentence\tup_votes\n";
    QVERIFY(text(root / "train.tsv",
        header
            + "u1\ta.wav\tx\t\"Hello,\" he said.\t2\nu1\tb.wav\tx\tIn 1980\t2\n"
              "u1\tz.wav\tx\tGone\t2\nu1\te.wav\tx\t...\t2\r\n"));
    QVERIFY(text(root / "dev.tsv", header + "u2\tc.wav\tx\tÇa va?\t2\n"));
    QVERIFY(text(root / "test.tsv", header + "u3\td.wav\tx\tYes\t2\nu3\tc.wav\tx\tAgain\t2\n"));
    QVERIFY(text(
        root / "validated.tsv", header + "u1\ta.wav\tx\tHello\t2\nu4\trest.wav\tx\tRest\t2\n"));
    const auto corpus = read("common-voice", "cv");
    QVERIFY2(corpus, why(corpus));
    const auto report = data::writeParts(*corpus, path("cv out"));
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("cv out/train.csv")) == (Names { "a u1 hello he said" }));
    QVERIFY(rowsOf(path("cv out/dev.csv")) == (Names { "c u2 ça va" }));
    QVERIFY(rowsOf(path("cv out/test.csv")) == (Names { "d u3 yes" }));
    QVERIFY(report->dropped
        == (std::map<std::string, Names> { { "digits, which are read as words", { "b" } },
            { "no audio file", { "z" } }, { "no text", { "e" } }, { "listed before", { "c.wav" } },
            { "validated, but in no split of this release", { "rest" } } }));
    const auto kept
        = data::readCorpus("common-voice", { .folder = root, .keepText = true }, always);
    QVERIFY2(kept, why(kept));
    QCOMPARE(kept->splits.at("train").front().text, "\"Hello,\" he said.");
    QCOMPARE(kept->splits.at("train").size(), size_t(3));
    QVERIFY(text(root / "dev.tsv", header + "u2\tc.wav\n"));
    const auto torn = read("common-voice", "cv");
    QVERIFY(!torn);
    QVERIFY2(torn.error().message.find("dev.tsv', line 2: 2 fields where the header has 5")
            != std::string::npos,
        why(torn));
}

/// The clips of Common Voice are MP3.
void TstCorpora::mp3_isReadByItsHeader()
{
    SF_FORMAT_INFO info { SF_FORMAT_MPEG, nullptr, nullptr };
    if (sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) != 0)
        QSKIP("this libsndfile is older than 1.1 and knows no MP3");
    QVERIFY(sound(path("clip.mp3"), SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III));
    const auto read = data::readAudioInfo(path("clip.mp3"));
    QVERIFY2(read, why(read));
    QCOMPARE(read->sampleRateHz, kRateHz);
    const double seconds = static_cast<double>(read->frames) / kRateHz;
    QVERIFY2(seconds >= 0.5 && seconds < 0.8, std::to_string(seconds).c_str()); // an encoder pads
}

void TstCorpora::kaldiFolders_areParts()
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
        == (std::map<std::string, Names> { { "no audio file", { "u3" } },
            { "no such part in this folder", { "dev" } }, { "no text", { "u6" } },
            { "no transcript", { "u4" } }, { "not in wav.scp", { "u5" } } }));
    const auto elsewhere = data::readCorpus("kaldi",
        { .folder = root / "data", .outFolder = path("k out"), .audioRoot = root / "audio" },
        always);
    QVERIFY2(elsewhere, why(elsewhere));
    QCOMPARE(elsewhere->splits.at("train").size(), size_t(1)); // the absolute one
}

void TstCorpora::kaldiFolder_isOnePartByItself()
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

void TstCorpora::segments_areCutExactly()
{
    const std::filesystem::path root = path("seg/train");
    QVERIFY(flac(root / "long.flac"));
    QVERIFY(text(root / "wav.scp", "r1 long.flac\nr2 none.flac\n"));
    QVERIFY(text(root / "segments",
        "u1 r1 0.1 0.3\nu2 r1 0.25 -1\nu3 r1 0.4 0.7\nu4 r1 x 1\nu5 r1 0.3 0.2\nu6 r2 0 1\n"
        "u7\tr1\t0.4\t0.55\nu9 r1 0 0.1\n"));
    QVERIFY(text(root / "text", "u1 ONE\nu2 TWO\nu3 A\nu4 B\nu5 C\nu6 D\nu7 SEVEN\nu8 E\n"));
    const auto corpus = read("kaldi", "seg");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(3));
    const auto whole = data::readAudio(root / "long.flac", 0);
    const std::pair<size_t, size_t> ranges[] = { { 800, 2400 }, { 2000, 4000 }, { 3200, 4000 } };
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
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "a segment that its recording has not", { "u3", "u6" } },
            { "no segment of a recording in wav.scp", { "u4", "u5", "u8" } },
            { "no transcript", { "u9" } } }));
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("seg out/segments/train")))
        files += entry.path().extension() == ".wav" ? 1 : 100; // no file half written
    QCOMPARE(files, 3);
    QVERIFY(text(path("no folder"), ""));
    QVERIFY(!data::cutAudio(root / "long.flac", 0, 0.1, path("no folder/a.wav")));
}

void TstCorpora::wrongKaldiFolders_areRefused_data()
{
    QTest::addColumn<QString>("scp");
    QTest::addColumn<QString>("transcripts");
    QTest::addColumn<QString>("message");
    QTest::newRow("command") << "u1 sph2pipe -f wav a.sph |\n"
                             << "u1 A\n"
                             << "wav.scp', 'u1': 'sph2pipe -f wav a.sph |' is a command, and none "
                                "is executed";
    QTest::newRow("archive") << "u1 raw.ark:17\n"
                             << "u1 A\n"
                             << "'raw.ark:17' is an entry of an archive";
    QTest::newRow("no path") << "u1\n"
                             << "u1 A\n"
                             << "'u1': there is no path";
    QTest::newRow("twice") << "u1 a.wav\nu1 b.wav\n"
                           << "u1 A\n"
                           << "wav.scp', line 2: the ID 'u1' is there twice";
    QTest::newRow("no text") << "u1 a.wav\n"
                             << ""
                             << "text': No such file";
}

void TstCorpora::wrongKaldiFolders_areRefused()
{
    QFETCH(QString, scp);
    QFETCH(QString, transcripts);
    QFETCH(QString, message);
    const std::string folder = std::string("wrong ") + QTest::currentDataTag();
    QVERIFY(text(path(folder) / "wav.scp", scp.toStdString()));
    if (!transcripts.isEmpty())
        QVERIFY(text(path(folder) / "text", transcripts.toStdString()));
    const auto corpus = read("kaldi", folder);
    QVERIFY(!corpus);
    QVERIFY2(QString(why(corpus)).contains(message), why(corpus));
}

void TstCorpora::jsonList_isCheckedAndNormalized()
{
    for (const char* name : { "a", "b", "c" })
        QVERIFY(sound(path("own") / (std::string(name) + ".wav")));
    QVERIFY(text(path("list.json"),
        "{\n \"u1\": {\"wav\": \"$data_root/a.wav\", \"words\": \"Hello, you!\", \"split\": "
        "\"train\"},\n \"u2\": {\"split\": \"dev\", \"wav\": \"b.wav\", \"words\": \"Yes\"},\n "
        "\"u3\": {\"wav\": \"{data_root}/c.wav\", \"words\": \"No\", \"split\": \"test\"},\n "
        "\"u4\": {\"wav\": \"c.wav\", \"split\": \"test\"}\n}\n"));
    const auto report = [&](const char* file) {
        const auto corpus
            = data::readOwnCsv({ .file = path(file), .audioRoot = path("own") }, always);
        return corpus ? data::writeManifests(*corpus, path("json out")) : corpus.error();
    };
    const auto made = report("list.json");
    QVERIFY2(made, why(made));
    QVERIFY(rowsOf(path("json out/train.csv")) == (Names { "u1  hello you" }));
    QVERIFY(rowsOf(path("json out/test.csv")) == (Names { "u3  no" }));
    QVERIFY(made->dropped == (std::map<std::string, Names> { { "no text", { "line 5" } } }));
    QVERIFY(text(path("rows.json"),
        R"([{"wav": "a.wav", "text": "A", "split": "train"}, {"wav": "b.wav", "text": "B",
            "split": "dev"}, {"text": "C", "wav": "c.wav", "split": "test"}])"));
    const auto rows = report("rows.json");
    QVERIFY2(rows, why(rows));
    QVERIFY(rowsOf(path("json out/test.csv")) == (Names { "c  c" }));
    for (const auto& [content, message] : { std::pair { "3", "expected a JSON object" },
             { "{\"u1\": 3}", "line 1: 'u1' is no utterance" },
             { "[{\"audio\": \"a.wav\"}]", "there are: , audio" }, { "{", "expected a JSON" } }) {
        QVERIFY(text(path("broken.json"), content));
        const auto broken = report("broken.json");
        QVERIFY(!broken);
        QVERIFY2(QString(why(broken)).contains(message), why(broken));
    }
}

/// The folders and manifests beside each other in each real set say the same.
void TstCorpora::sharedKaldiFolders_giveTheirManifests()
{
    const std::filesystem::path sets = qEnvironmentVariable("KYMO_DATA_DIR").toStdString();
    if (sets.empty())
        QSKIP("KYMO_DATA_DIR is not set");
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

void TstCorpora::checksums_areRecordedAndVerified()
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
    QVERIFY(report->dropped.at("no utterance is left of this part") == (Names { "dev-other" }));
    QVERIFY(!std::filesystem::exists(path("sums out/dev-other.csv")));

    const std::string changed = "LibriSpeech/train-other-500/20/5/20-5-0000.flac";
    QVERIFY(test::writeSound(path("sums") / changed, test::sine(kSamples, 900, kRateHz),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    auto again = read("librispeech", "sums");
    const Status second = summed(*again);
    QVERIFY2(second, why(second));
    QCOMPARE(again->notes.size(), size_t(2));
    QCOMPARE(again->notes.front(),
        "'" + changed + "' has changed since '" + record.string() + "' was written");
}

void TstCorpora::brokenChecksumLists_areRefused()
{
    QVERIFY(makeLibriSpeech("torn"));
    QVERIFY(text(path("torn/checksums.sha256"), "abc  a.flac\n"));
    auto corpus = read("librispeech", "torn");
    const Status summed
        = data::checkSums(*corpus, path("torn"), path("torn out/checksums.sha256"), always);
    QVERIFY(!summed);
    QVERIFY2(QString(why(summed)).contains("checksums.sha256', line 1: expected a SHA-256"),
        why(summed));
    std::filesystem::remove(path("torn/checksums.sha256"));
    QVERIFY(!data::checkSums(
        *corpus, path("torn"), path("torn out/checksums.sha256"), [] { return false; }));
    QVERIFY(!std::filesystem::exists(path("torn out")));
}

void TstCorpora::corpora_areKnownByTheirLayout()
{
    QVERIFY(makeLibriSpeech("known/ls"));
    QVERIFY(text(path("known/a1/data_aishell/transcript/aishell_transcript_v0.8.txt"), ""));
    QVERIFY(text(path("known/cv/train.tsv"), ""));
    QCOMPARE(check::corpusIn(path("known/cv")), "");
    QVERIFY(text(path("known/cv/clips/a.mp3"), ""));
    QVERIFY(text(path("known/k/train/wav.scp"), ""));
    QCOMPARE(check::corpusIn(path("known/ls")), "librispeech");
    QCOMPARE(check::corpusIn(path("known/ls/LibriSpeech")), "librispeech");
    QCOMPARE(check::corpusIn(path("known/a1")), "aishell1");
    QCOMPARE(check::corpusIn(path("known/a1/data_aishell")), "aishell1");
    QCOMPARE(check::corpusIn(path("known/cv")), "common-voice");
    QCOMPARE(check::corpusIn(path("known/k")), "kaldi");
    QCOMPARE(check::corpusIn(path("known")), "");
}

void TstCorpora::missingManifests_areThePartsTheyAreNamedFor()
{
    QVERIFY(makeLibriSpeech("run"));
    const recipe::NodePtr recipe = recipe::parse("data_folder: " + path("run").string()
            + "\ntrain_csv: " + path("run out/train.csv").string()
            + "\nvalid_csv: " + path("run out/dev-other.csv").string() + "\n",
        "recipe.yaml")
                                       .root;
    const auto report = data::prepareMissing(*recipe, always);
    QVERIFY2(report, why(report));
    QCOMPARE(report->splits.size(), size_t(2));
    QCOMPARE(rowsOf(path("run out/train.csv")).size(), size_t(3));
    QVERIFY(rowsOf(path("run out/dev-other.csv")) == (Names { "85-12-0000 85 OTHER DEV" }));
}

void TstCorpora::whatIsNoCorpus_isSaid_data()
{
    QTest::addColumn<QString>("corpus");
    QTest::addColumn<QString>("message");
    QTest::newRow("librispeech") << "librispeech"
                                 << "has no part of LibriSpeech";
    QTest::newRow("aishell1") << "aishell1"
                              << "name the folder data_aishell of AISHELL-1";
    QTest::newRow("common-voice") << "common-voice"
                                  << "name the folder of one language";
    QTest::newRow("kaldi") << "kaldi"
                           << "nor a folder in it has a wav.scp";
    QTest::newRow("unknown") << "timit"
                             << "unknown corpus 'timit': aishell1, common-voice, fsdd, kaldi, "
                                "librispeech, speech-commands";
}

void TstCorpora::whatIsNoCorpus_isSaid()
{
    QFETCH(QString, corpus);
    QFETCH(QString, message);
    std::filesystem::create_directories(path("empty"));
    const auto read = this->read(corpus.toStdString(), "empty");
    QVERIFY(!read);
    QVERIFY2(QString(why(read)).contains(message), why(read));
    const auto report = data::writeParts({}, path("empty out"));
    QVERIFY2(QString(why(report)).startsWith("no utterances are left for train"), why(report));
    QVERIFY(!std::filesystem::exists(path("empty out")));
}

void TstCorpora::stop_leavesNothing()
{
    QVERIFY(makeLibriSpeech("stopped"));
    for (int most = 0; most < 6; ++most) {
        int files = 0;
        const auto corpus = data::readCorpus("librispeech",
            { .folder = path("stopped"), .outFolder = path("stopped out") },
            [&] { return ++files <= most; });
        QVERIFY2(QString(why(corpus)).startsWith("stopped before all of"), why(corpus));
    }
}

void TstCorpora::same_isWrittenTwice()
{
    QVERIFY(makeLibriSpeech("twice"));
    std::string first;
    for (int i = 0; i < 2; ++i) {
        const auto corpus = read("librispeech", "twice");
        QVERIFY(data::writeParts(*corpus, path("twice out")));
        const std::string written = *readFile(path("twice out/train.csv"));
        QVERIFY(i == 0 || written == first);
        first = written;
    }
    QVERIFY(first.starts_with("ID,duration,wav,spk_id,wrd\n19-198-0000,0.5,/"));
}

QTEST_GUILESS_MAIN(TstCorpora)
#include "tst_corpora.moc"
