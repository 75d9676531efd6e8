#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/own_list.h"

#include <QTest>

#include <map>

using namespace earwright;
using namespace earwright::tests;

/// What a report says of what was left out.
class TstLeftOut : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void rowsOnOneLine_areToldByTheirIds();
    void rowsWithoutIds_areToldByTheirFiles();
    void backgroundNoise_isTold();
    void listsOfClipsThatAreNotValid_areTold();
};

void TstLeftOut::rowsOnOneLine_areToldByTheirIds()
{
    QVERIFY(sound(path("a.wav")));
    QVERIFY(text(path("list.json"),
        R"({"u1": {"wav": "a.wav", "text": ""}, "u2": {"wav": "", "text": "A"},)"
        R"( "u3": {"wav": "a.wav", "text": "A", "duration": 2}, "u4": {"wav": "a.wav"},)"
        R"( "u3": {"wav": "a.wav", "text": "B"},)"
        "\n"
        R"( "u5": {"wav": "a.wav"}})"));
    const auto corpus = data::readOwnList({ .file = path("list.json") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "no text", { "u1, line 1", "u4, line 1", "line 2" } },
            { "no path in column wav", { "u2, line 1" } },
            { "an ID used before", { "u3, line 1" } } }));
    QVERIFY(corpus->notes == (Names { "kept, but shorter than the list says: 1 (u3, line 1)" }));
}

void TstLeftOut::rowsWithoutIds_areToldByTheirFiles()
{
    for (const char* name : { "s0/a", "s1/a", "s1/b" })
        QVERIFY(sound(path(name).string() + ".wav"));
    QVERIFY(text(path("rows.json"),
        R"([{"wav": "s0/a.wav", "text": ""}, {"wav": "s1/a.wav", "text": ""},)"
        R"( {"wav": "s1/b.wav", "text": "A"}, {"wav": "", "text": "A"}])"));
    const auto corpus = data::readOwnList({ .file = path("rows.json") }, always);
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").front().id, std::string("b"));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "no text", { "s0/a, line 1", "s1/a, line 1" } },
            { "no path in column wav", { "line 1" } } }));
}

void TstLeftOut::backgroundNoise_isTold()
{
    for (const char* name :
        { "yes/aa_nohash_0", "_background_noise_/hum", "_background_noise_/tap" })
        QVERIFY(sound(path("sc") / (std::string(name) + ".wav")));
    QVERIFY(text(path("sc/_background_noise_/README.md"), "noise"));
    QVERIFY(text(path("sc/testing_list.txt"), "") && text(path("sc/validation_list.txt"), ""));
    const auto corpus = read("speech-commands", "sc");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t(1));
    QVERIFY(corpus->notes
        == (Names { "left out: '_background_noise_', which holds no words (files: 2)" }));
}

void TstLeftOut::listsOfClipsThatAreNotValid_areTold()
{
    const std::string header = "client_id\tpath\tsentence\n";
    QVERIFY(sound(path("cv/clips/a.wav")));
    QVERIFY(text(path("cv/train.tsv"), header + "u1\ta.wav\tOne\n"));
    QVERIFY(text(path("cv/dev.tsv"), header) && text(path("cv/test.tsv"), header));
    QVERIFY(text(path("cv/other.tsv"), header + "u1\tb.wav\tTwo\nu1\tc.wav\tThree\n"));
    QVERIFY(text(path("cv/invalidated.tsv"), header));
    const auto corpus = read("common-voice", "cv");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped.empty());
    QVERIFY(corpus->notes
        == (Names { "left out: 'invalidated.tsv', voted to be wrong (clips: 0)",
            "left out: 'other.tsv', not validated yet (clips: 2)" }));
}

EARWRIGHT_TEST(TstLeftOut)
#include "tst_left_out.moc"
