#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/audio.h"
#include "core/data/prepare/missing.h"
#include "core/data/prepare/own_list.h"
#include "core/data/prepare/parts.h"
#include "core/recipe/parse.h"
#include "core/settings/corpus.h"

#include <QTest>

#include <map>

using namespace earwright;
using namespace earwright::tests;
using data::Corpus;
using data::PrepareReport;

/// Corpora from their published layouts.
class TstCorpora : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void libriSpeech_keepsItsParts();
    void commonVoice_followsItsLists();
    void commonVoiceRows_needTheHeadersFields();
    void commonVoicePaths_mayLackTheirEnding();
    void filesOfMacOs_arePassedOver();
    void audioCutShort_isLeftOut();
    void jsonLines_areRead();
    void jsonList_isCheckedAndNormalized();
    void singleUtterance_isRead_data();
    void singleUtterance_isRead();
    void valuesThatAreNoText_areReadOrTold_data();
    void valuesThatAreNoText_areReadOrTold();
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
            { "no text", { "19-198-0003" } }, { "no transcript", { "19-198-0009" } } }));
    QVERIFY(report->notes == (Names { "no test.csv is written: there is no such part" }));
    QVERIFY2(report->text().find("train-clean-100      2 utterances      0.0 minutes")
            != std::string::npos,
        report->text().c_str());
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
              "u1\tz.wav\tx\tGone\t2\nu1\te.wav\tx\t...\t2\r\nu1\tf.wav\tx\t[noise]\t2\n"));
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
            { "no word beside tags", { "f" } }, { "an ID used before", { "c.wav, in test.tsv" } },
            { "validated, but in no split of this release", { "rest" } } }));
    const auto kept
        = data::readCorpus("common-voice", { .folder = root, .keepText = true }, always);
    QVERIFY2(kept, why(kept));
    QCOMPARE(kept->splits.at("train").front().text, "\"Hello,\" he said.");
    QCOMPARE(kept->splits.at("train").size(), size_t(3));
}

/// A tab in a sentence moves what stands behind it.
void TstCorpora::commonVoiceRows_needTheHeadersFields()
{
    const std::filesystem::path root = path("torn");
    for (const char* clip : { "a", "b", "c" })
        QVERIFY(sound(root / "clips" / (std::string(clip) + ".wav")));
    const std::string header = "client_id\tpath\tsentence\tup_votes\n";
    QVERIFY(text(
        root / "train.tsv", header + "u1\ta.wav\tYes\t2\nu1\tb.wav\tOne\ttwo\t2\nu2\tc.wav\n\n"));
    QVERIFY(text(root / "dev.tsv", header));
    QVERIFY(text(root / "test.tsv", header));
    const auto corpus = read("common-voice", "torn");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "more or fewer fields than the header has",
            { "train.tsv, line 3", "train.tsv, line 4" } } }));
}

/// As lists of the first releases have them.
void TstCorpora::commonVoicePaths_mayLackTheirEnding()
{
    const std::filesystem::path root = path("old");
    QVERIFY(sound(root / "clips/a.wav") && sound(root / "clips/b.mp3"));
    const std::string header = "client_id\tpath\tsentence\n";
    QVERIFY(text(root / "train.tsv", header + "u1\tb\tYes\nu1\ta.wav\tNo\nu1\tc\tGone\n"));
    QVERIFY(text(root / "dev.tsv", header));
    QVERIFY(text(root / "test.tsv", header));
    const auto corpus = read("common-voice", "old");
    QVERIFY2(corpus, why(corpus));
    const auto& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t(2));
    QCOMPARE(train[0].id, "b");
    QCOMPARE(train[0].wav, (root / "clips/b.mp3").string());
    QVERIFY(corpus->dropped == (std::map<std::string, Names> { { "no audio file", { "c" } } }));
}

/// "._x" beside x is what macOS packs.
void TstCorpora::filesOfMacOs_arePassedOver()
{
    QVERIFY(makeLibriSpeech("mac"));
    const std::filesystem::path chapter = path("mac/LibriSpeech/dev-clean/84/12");
    QVERIFY(text(chapter / "._84-12.trans.txt", "\xff") && text(chapter / "._84-12-0000.flac", ""));
    QVERIFY(text(path("mac/LibriSpeech/._dev-clean"), ""));
    const auto corpus = read("librispeech", "mac");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("dev-clean").size(), size_t(1));
    QVERIFY(corpus->dropped.at("no transcript") == (Names { "19-198-0009" }));
    QVERIFY(sound(path("mac digits/recordings/0_theo_0.wav")));
    QVERIFY(text(path("mac digits/recordings/._0_theo_0.wav"), ""));
    const auto digits = read("fsdd", "mac digits");
    QVERIFY2(digits && digits->dropped.empty(), why(digits));
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
    QVERIFY(corpus->dropped.at("audio that cannot be read")
        == (Names {
            "85-12-0000: it is cut short or corrupt: the last of 4000 samples is not there" }));
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
            = data::readOwnList({ .file = path(file), .audioRoot = path("own") }, always);
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
    for (const auto& [content, message] :
        { std::pair { "3", "expected a JSON object" }, { "{\"u1\": 3}", "there are: u1" },
            { "{\"u1\": {},\n \"u2\": 3}", "line 2: 'u2' is no utterance" },
            { "[{\"audio\": \"a.wav\"}]", "there are: audio" },
            { "[{},\n 3]", "line 2: '3' is no utterance" },
            { "{\n \"u1\": {\n  \"wav\": \"a.wav\"\n  \"words\": 1}}", "line 4: this is not" },
            { "{\n \"u1\": {\n  \"wav\": \"a.wav\n}}", "line 3: this is not valid JSON" } }) {
        QVERIFY(text(path("broken.json"), content));
        const auto broken = report("broken.json");
        QVERIFY(!broken);
        QVERIFY2(QString(why(broken)).contains(message), why(broken));
    }
}

void TstCorpora::singleUtterance_isRead_data()
{
    QTest::addColumn<QString>("utterance");
    QTest::addColumn<QString>("id");
    QTest::newRow("NeMo") << R"({"audio_filepath": "a.wav", "duration": 0.5, "text": "A"})"
                          << "a";
    QTest::newRow("FunASR") << R"({"key": "u1", "source": "a.wav", "target": "A"})"
                            << "u1";
    QTest::newRow("SpeechBrain")
        << R"({"wav": {"file": "a.wav", "start": 0, "stop": 4000}, "text": "A"})"
        << "a";
    QTest::newRow("lines") << "{\n \"key\": \"u1\",\n \"wav\": \"a.wav\",\n \"txt\": \"A\"\n}"
                           << "u1";
}

void TstCorpora::singleUtterance_isRead()
{
    QFETCH(QString, utterance);
    QFETCH(QString, id);
    QVERIFY(sound(path("a.wav")));
    QVERIFY(text(path("one.jsonl"), utterance.toStdString() + "\n"));
    const auto corpus = data::readOwnList({ .file = path("one.jsonl") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped.empty());
    QCOMPARE(corpus->splits.at("train").size(), size_t(1));
    QCOMPARE(corpus->splits.at("train").front().id, id.toStdString());
    QCOMPARE(corpus->splits.at("train").front().text, "a");
}

void TstCorpora::valuesThatAreNoText_areReadOrTold_data()
{
    QTest::addColumn<QString>("expected"); // the text, or why there is none
    const auto add
        = [](const char* members, const char* expected) { QTest::newRow(members) << expected; };
    add(R"("wav": "a.wav", "words": ["Hello", "world"])", "hello world");
    add(R"("wav": "a.wav", "words": "A", "tokens": [1, 2], "extra": {"x": 1})", "a");
    add(R"("wav": "a.wav", "words": [])", "no text");
    add(R"("wav": "a.wav", "words": null)", "no text");
    add(R"("wav": "a.wav", "words": [1, 2])", "'words' is a list, which is not read");
    add(R"("wav": "a.wav", "words": {"x": "A"})", "'words' is an object, which is not read");
    add(R"("wav": "a.wav", "words": true)", "'words' is true or false, which is not read");
    add(R"("wav": ["a.wav", "b.wav"], "words": "A")", "'wav' is a list, which is not read");
    add(R"("wav": {"files": ["a.wav"]}, "words": "A")", "'wav' is an object, which is not read");
    add(R"("wav": {"file": "a.wav", "stop": [1]}, "words": "A")",
        "'wav.stop' is a list, which is not read");
}

void TstCorpora::valuesThatAreNoText_areReadOrTold()
{
    QFETCH(QString, expected);
    QVERIFY(sound(path("a.wav")));
    QVERIFY(text(path("list.json"), "{\"u1\": {" + std::string(QTest::currentDataTag()) + "}}"));
    const auto corpus = data::readOwnList({ .file = path("list.json") }, always);
    QVERIFY2(corpus, why(corpus));
    if (corpus->dropped.empty())
        QCOMPARE(corpus->splits.at("train").front().text, expected.toStdString());
    else
        QVERIFY2(corpus->dropped
                == (std::map<std::string, Names> { { expected.toStdString(), { "line 1" } } }),
            corpus->dropped.begin()->first.c_str());
}

/// WeNet's data.list and NeMo's manifests.
void TstCorpora::jsonLines_areRead()
{
    for (const char* name : { "a", "b" })
        QVERIFY(sound(path("own") / (std::string(name) + ".wav")));
    const auto read = [&](const char* file) {
        return data::readOwnList(
            { .file = path(file), .outFolder = path("out"), .audioRoot = path("own") }, always);
    };
    QVERIFY(text(path("data.list"),
        "{\"key\": \"u1\", \"wav\": \"a.wav\", \"txt\": \"A\"}\n\n"
        "{\"key\": \"u2\", \"wav\": \"b.wav\", \"txt\": \"B 2\"}\n"
        "{\"key\": \"u3\", \"wav\": \"b.wav\", \"txt\": \"B\", \"start\": 0, \"end\": 0.2}\n"));
    const auto wenet = read("data.list");
    QVERIFY2(wenet, why(wenet));
    QVERIFY(idsOf(*wenet) == (Names { "u1", "u3" }));
    QVERIFY(wenet->dropped
        == (std::map<std::string, Names> { { "digits, which are read as words", { "line 3" } } }));
    QVERIFY(text(path("nemo.json"),
        "{\"audio_filepath\": \"a.wav\", \"text\": \"a\", \"duration\": 0.5, \"offset\": 0.0}\n"
        "{\"audio_filepath\": \"b.wav\", \"text\": \"b\", \"duration\": 0.2, \"offset\": 0.1}\n"));
    const auto nemo = read("nemo.json");
    QVERIFY2(nemo, why(nemo));
    QVERIFY(idsOf(*nemo) == (Names { "a", "b-0000100-0000300" }));
    QVERIFY(nemo->dropped.empty());
    QVERIFY(text(path("funasr.jsonl"),
        "{\"key\": \"u1\", \"source\": \"a.wav\", \"source_len\": 50, \"target\": \"a b\", "
        "\"target_len\": 2}\n"
        "{\"key\": \"u2\", \"source\": \"b.wav\", \"source_len\": 50, \"target\": \"b\", "
        "\"target_len\": 1}\n"));
    const auto funasr = read("funasr.jsonl");
    QVERIFY2(funasr, why(funasr));
    QVERIFY(funasr->dropped.empty());
    for (const auto& [line, message] : { std::pair { "3", "line 2: '3' is no utterance" },
             { "{\"wav\": ", "line 2: this is not valid JSON" } }) {
        QVERIFY(text(path("broken.list"), std::string("{\"wav\": \"a.wav\"}\n") + line + "\n"));
        const auto broken = read("broken.list");
        QVERIFY(!broken);
        QVERIFY2(QString(why(broken)).contains(message), why(broken));
    }
}

void TstCorpora::corpora_areKnownByTheirLayout()
{
    QVERIFY(makeLibriSpeech("known/ls"));
    QVERIFY(text(path("known/a1/data_aishell/transcript/aishell_transcript_v0.8.txt"), ""));
    QVERIFY(text(path("known/cv/train.tsv"), ""));
    QCOMPARE(settings::corpusIn(path("known/cv")), "");
    QVERIFY(text(path("known/cv/clips/a.mp3"), ""));
    QVERIFY(text(path("known/k/train/wav.scp"), ""));
    QCOMPARE(settings::corpusIn(path("known/ls")), "librispeech");
    QCOMPARE(settings::corpusIn(path("known/ls/LibriSpeech")), "librispeech");
    QCOMPARE(settings::corpusIn(path("known/a1")), "aishell1");
    QCOMPARE(settings::corpusIn(path("known/a1/data_aishell")), "aishell1");
    QCOMPARE(settings::corpusIn(path("known/cv")), "common-voice");
    QCOMPARE(settings::corpusIn(path("known/k")), "kaldi");
    QCOMPARE(settings::corpusIn(path("known")), "");
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
    const auto report = data::prepareMissing(*recipe, always, always);
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
    QTest::newRow("unknown") << "wsj"
                             << "unknown corpus 'wsj': aishell1, common-voice, fsdd, kaldi, "
                                "libriheavy, librispeech, parquet, speech-commands, tedlium2, "
                                "timit, voicebank";
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

EARWRIGHT_TEST(TstCorpora)
#include "tst_corpora.moc"
