#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/own_list.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/prompts.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace earwright;
using namespace earwright::tests;

/// Of two utterances with one ID the first is kept and the other told of, whatever the corpus.
class TstRepeatedIds : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void libriSpeech_keepsTheFirst();
    void aishell1_keepsTheFirst();
    void commonVoice_keepsTheFirst();
    void prompts_keepTheFirst();
    void json_keepsTheFirst();
    void csv_needsIds();
    void csvWithoutIds_takesPathsWhereNamesAreTheSame();
};

void TstRepeatedIds::libriSpeech_keepsTheFirst()
{
    QVERIFY(makeLibriSpeech("ls"));
    const std::filesystem::path root = path("ls/LibriSpeech");
    const std::string own = (root / "dev-clean/84/12/84-12.trans.txt").string();
    const std::string other = (root / "train-clean-100/19/199/19-199.trans.txt").string();
    QVERIFY(text(own, "84-12-0000 CLEAN\n84-12-0000 AGAIN\n"));
    QVERIFY(flac(root / "train-clean-100/19/199/19-198-0000.flac"));
    QVERIFY(text(other, "19-198-0000 ELSEWHERE\n"));
    const auto corpus = read("librispeech", "ls");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped.at("an ID used before")
        == (Names { "84-12-0000, in " + own, "19-198-0000, in " + other }));
    QVERIFY(data::writeParts(*corpus, path("ls out")));
    QVERIFY(rowsOf(path("ls out/dev-clean.csv")) == (Names { "84-12-0000 84 CLEAN" }));
    QVERIFY(rowsOf(path("ls out/train-clean-100.csv"))
        == (Names { "19-198-0000 19 CHAPTER ONE", "19-198-0001 19 IT'S LATE" }));
}

void TstRepeatedIds::aishell1_keepsTheFirst()
{
    const std::filesystem::path root = path("a1");
    const std::filesystem::path again = root / "wav/test/S0002/u1.wav";
    QVERIFY(sound(root / "wav/train/S0002/u1.wav"));
    QVERIFY(sound(root / "wav/train/S0002/u2.wav"));
    QVERIFY(sound(again));
    QVERIFY(text(root / "transcript/aishell_transcript_v0.8.txt", "u1 而\nu2 对\nu1 楼市\n"));
    const auto corpus = read("aishell1", "a1");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").front().text, std::string("而"));
    QCOMPARE(corpus->splits.size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "an ID used before", { "u1, in the transcripts", again.string() } } }));
}

void TstRepeatedIds::commonVoice_keepsTheFirst()
{
    const std::string header = "client_id\tpath\tsentence\n";
    QVERIFY(sound(path("cv/clips/a.wav")));
    QVERIFY(text(path("cv/train.tsv"), header + "u1\ta.wav\tOne\nu1\ta.mp3\tTwo\nu1\t\tThree\n"));
    QVERIFY(text(path("cv/dev.tsv"), header));
    QVERIFY(text(path("cv/test.tsv"), header));
    const auto corpus = read("common-voice", "cv");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID used before", { "a.mp3, in train.tsv" } },
            { "no path in the list", { "Three" } } }));
}

void TstRepeatedIds::prompts_keepTheFirst()
{
    std::string lines;
    for (char c = 'a'; c <= 'z'; ++c) {
        QVERIFY(sound(path("sounds") / (std::string(1, c) + ".wav")));
        lines += std::string(1, c) + ": " + std::string(3, c) + "\n";
    }
    QVERIFY(text(path("core.txt"), lines + "b: again\n"));
    const auto report = data::preparePrompts(
        { .sounds = path("sounds"), .transcripts = path("core.txt"), .outFolder = path("p out") });
    QVERIFY2(report, why(report));
    QVERIFY(report->dropped == (std::map<std::string, Names> { { "an ID used before", { "b" } } }));
}

void TstRepeatedIds::json_keepsTheFirst()
{
    for (const char* name : { "a", "b", "c" })
        QVERIFY(sound(path("own") / (std::string(name) + ".wav")));
    QVERIFY(text(path("own/list.json"),
        "{\n\"u1\": {\"wav\": \"a.wav\", \"text\": \"a\", \"split\": \"train\"},\n"
        "\"u1\": {\"wav\": \"b.wav\", \"text\": \"b\", \"split\": \"dev\"},\n"
        "\"u2\": {\"wav\": \"c.wav\", \"text\": \"c\", \"split\": \"dev\"},\n"
        "\"\": {\"wav\": \"c.wav\", \"text\": \"c\", \"split\": \"dev\"},\n"
        "\"u3\": {\"wav\": \"c.wav\", \"text\": \"\", \"split\": \"dev\"}}"));
    const auto corpus = data::readOwnList({ .file = path("own/list.json") }, always);
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").front().text, std::string("a"));
    QCOMPARE(corpus->splits.at("dev").size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID used before", { "line 3" } },
            { "no ID", { "line 5" } }, { "no text", { "line 6" } } }));
}

void TstRepeatedIds::csv_needsIds()
{
    QVERIFY(sound(path("own/a.wav")));
    QVERIFY(text(path("own/list.csv"), "ID,wav,text\n,a.wav,A\nu1,a.wav,B\n"));
    const auto corpus = data::readOwnList({ .file = path("own/list.csv") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped == (std::map<std::string, Names> { { "no ID", { "line 2" } } }));
}

void TstRepeatedIds::csvWithoutIds_takesPathsWhereNamesAreTheSame()
{
    for (const char* name : { "s0/000", "s1/000", "s1/001" })
        QVERIFY(sound(path("spk") / (std::string(name) + ".wav")));
    QVERIFY(text(path("spk/list.csv"),
        "wav,text\ns0/000.wav,a\n./s1/000.wav,b\n$data_root/s1/001.wav,c\ns1/001.wav,again\n"
            + path("spk/s1/000.wav").string() + ",absolute\n"));
    const auto corpus = data::readOwnList({ .file = path("spk/list.csv") }, always);
    QVERIFY2(corpus, why(corpus));
    Names ids;
    for (const auto& [split, utterances] : corpus->splits)
        for (const data::Utterance& utterance : utterances)
            ids.push_back(utterance.id);
    std::sort(ids.begin(), ids.end());
    QVERIFY(ids == (Names { "001", "s0/000", "s1/000" }));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID used before", { "line 5", "line 6" } } }));
}

EARWRIGHT_TEST(TstRepeatedIds)
#include "tst_repeated_ids.moc"
