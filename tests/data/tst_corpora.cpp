#include "tests/data/corpus_folder.h"

#include "core/check/corpus.h"
#include "core/data/audio.h"
#include "core/data/prepare/missing.h"
#include "core/data/prepare/own_csv.h"
#include "core/data/prepare/parts.h"
#include "core/recipe/parse.h"

#include <QTest>

#include <map>

using namespace kymo;
using namespace kymo::test;
using data::Corpus;
using data::PrepareReport;

/// Corpora from their published layouts.
class TstCorpora : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void libriSpeech_keepsItsParts();
    void aishell1_isReadByItsTranscripts();
    void packedAishell1_isToldToUnpack();
    void commonVoice_followsItsLists();
    void audioCutShort_isLeftOut();
    void jsonList_isCheckedAndNormalized();
    void corpora_areKnownByTheirLayout();
    void missingManifests_areThePartsTheyAreNamedFor();
    void whatIsNoCorpus_isSaid_data();
    void whatIsNoCorpus_isSaid();
    void stop_leavesNothing();
    void same_isWrittenTwice();
};

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
            { "no audio file", { "z" } }, { "no text", { "e" } },
            { "an ID used before", { "c.wav, in test.tsv" } },
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

/// A FLAC file's header still promises all of it.
void TstCorpora::audioCutShort_isLeftOut()
{
    QVERIFY(makeLibriSpeech("cut"));
    const std::filesystem::path cut = path("cut/LibriSpeech/dev-other/85/12/85-12-0000.flac");
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 9);
    QVERIFY(data::readAudioInfo(cut));
    const auto corpus = read("librispeech", "cut");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped.at("audio that cannot be read") == (Names { "85-12-0000" }));
    QVERIFY(!corpus->splits.contains("dev-other"));
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
             { "[{\"audio\": \"a.wav\"}]", "there are: , audio" },
             { "[{},\n 3]", "line 2: '3' is no utterance" },
             { "{\n \"u1\": {\n  \"wav\": \"a.wav\"\n  \"words\": 1}}", "line 4: this is not" },
             { "{\n \"u1\": {\n  \"wav\": \"a.wav\n}}", "line 3: this is not valid JSON" } }) {
        QVERIFY(text(path("broken.json"), content));
        const auto broken = report("broken.json");
        QVERIFY(!broken);
        QVERIFY2(QString(why(broken)).contains(message), why(broken));
    }
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
            + "\nvalid_csv: " + path("run out/dev-other.csv").string() + "\ntest_csv: ["
            + path("run out/dev-clean.csv").string() + ", "
            + path("run out/train-other-500.csv").string() + "]\n",
        "recipe.yaml")
                                       .root;
    const auto report = data::prepareMissing(*recipe, always);
    QVERIFY2(report, why(report));
    QCOMPARE(report->splits.size(), size_t(4));
    QVERIFY(rowsOf(path("run out/dev-clean.csv")) == (Names { "84-12-0000 84 CLEAN" }));
    QVERIFY(rowsOf(path("run out/train-other-500.csv")) == (Names { "20-5-0000 20 OTHER" }));
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
