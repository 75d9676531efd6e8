#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/manifest.h"
#include "core/data/prepare/fsdd.h"
#include "core/data/prepare/gzip.h"
#include "core/data/prepare/missing.h"
#include "core/data/prepare/own_list.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/prompts.h"
#include "core/data/prepare/speech_commands.h"
#include "core/recipe/parse.h"
#include "core/settings/corpus.h"
#include "tests/data/corpus_folder.h"
#include "tests/prompts.h"
#include "tests/registry.h"

#include <QTest>

#include <map>
#include <zlib.h>

using namespace earwright;
using namespace earwright::tests;
using data::PrepareReport;

namespace {

const char* const kSplits[] = { "train", "dev", "test" };

/// ID -> split of all three manifests of a folder.
std::map<std::string, std::string> splitsIn(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> result;
    for (const char* split : kSplits) {
        const auto set = data::readManifest(folder / (std::string(split) + ".csv"), "");
        if (!set)
            return {};
        for (const data::Utterance& utterance : *set)
            result[utterance.id] = split;
    }
    return result;
}

Result<PrepareReport> prepareMissing(const recipe::Node& recipe)
{
    return data::prepareMissing(recipe, always, always);
}

Result<PrepareReport> prepared(
    const Result<data::Corpus>& corpus, const std::filesystem::path& folder)
{
    return corpus ? data::writeManifests(*corpus, folder) : corpus.error();
}

Result<PrepareReport> prepareOwnList(
    const std::filesystem::path& file, const std::filesystem::path& folder)
{
    const auto corpus = data::readOwnList({ .file = file, .outFolder = folder }, always);
    return corpus ? data::writeParts(*corpus, folder) : corpus.error();
}

} // namespace

class TstPrepare : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void prompts_areSplitWithoutSharingTexts()
    {
        std::string lines = "; Core Sounds\n\n";
        for (int i = 0; i < 200; ++i) {
            const std::string name = "digits/p-" + std::to_string(i);
            QVERIFY(sound(path("sounds/" + name + ".wav")));
            lines += name + ": The word " + std::string(1, static_cast<char>('a' + i % 26))
                + std::string(1, static_cast<char>('a' + i / 50)) + ".\n";
        }
        QVERIFY(sound(path("sounds/beep.wav")));
        QVERIFY(sound(path("sounds/press.wav")));
        lines += "beep: [a tone]\npress: Press 1 now.\ngone: This one has no audio.\n";
        QVERIFY(writeFileAtomically(path("core.txt"), lines));
        const auto report = data::preparePrompts({ .sounds = path("sounds"),
            .transcripts = path("core.txt"),
            .outFolder = path("out 输出") });
        QVERIFY2(report, why(report));
        std::map<std::string, std::string> splitOfText;
        size_t count = 0;
        for (const char* split : kSplits) {
            const auto set
                = data::readManifest(path("out 输出") / (std::string(split) + ".csv"), "");
            QVERIFY(set && !set->empty());
            count += set->size();
            for (const data::Utterance& utterance : *set) {
                QCOMPARE(
                    splitOfText.emplace(utterance.text, split).first->second, std::string(split));
                QCOMPARE(utterance.durationSeconds, 0.5);
            }
        }
        QCOMPARE(count, size_t(200));
        QCOMPARE(report->dropped.at("digits, markup or no words"),
            (std::vector<std::string> { "beep", "press" }));
        QCOMPARE(report->dropped.at("no audio file"), std::vector<std::string> { "gone" });
        QVERIFY(QString::fromStdString(report->text())
                    .contains("dropped 2: digits, markup or no words (beep, press)"));
    }

    void gzippedTranscripts_areUnpacked()
    {
        const std::string text(100000, 'x');
        gzFile file = gzopen(path("a.gz").c_str(), "wb");
        QVERIFY(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0);
        gzclose(file);
        QCOMPARE(*data::readMaybeGzip(path("a.gz")), text);
        std::filesystem::resize_file(path("a.gz"), 40);
        QVERIFY(!data::readMaybeGzip(path("a.gz")));
        QVERIFY(!data::readMaybeGzip(path("none.gz")));
    }

    void missingPrompts_areAnErrorThatHelps()
    {
        const auto report = data::preparePrompts({ .sounds = path("sounds"),
            .transcripts = path("nowhere.txt.gz"),
            .outFolder = path("out") });
        QVERIFY(!report);
        QVERIFY2(QString(why(report))
                     .contains("install the Debian packages asterisk-core-sounds-<language>"),
            why(report));
        QVERIFY2(QString(why(report)).contains("nowhere.txt.gz': no such file"), why(report));
    }

    void installedPrompts_giveHundredsOfUtterances()
    {
        const data::PromptsOptions options { .sounds = "/usr/share/asterisk/sounds/en_US_f_Allison",
            .transcripts = tests::promptTranscripts().toStdString(),
            .outFolder = path("installed") };
        if (!std::filesystem::exists(options.sounds)
            || !std::filesystem::exists(options.transcripts))
            QSKIP(tests::kNoPrompts);
        const auto report = data::preparePrompts(options);
        QVERIFY2(report, why(report));
        QVERIFY2(report->splits[0].numUtterances > 300, report->text().c_str());
        QVERIFY2(report->splits[2].numUtterances > 30, report->text().c_str());
    }

    void speechCommands_followTheLists()
    {
        for (const char* name : { "yes/aa_nohash_0.wav", "yes/bb_nohash_0.wav",
                 "yes/cc_nohash_0.wav", "no/aa_nohash_1.wav", "_background_noise_/hum.wav" })
            QVERIFY(sound(path("sc") / name));
        QVERIFY(writeFileAtomically(
            path("sc/testing_list.txt"), "yes/bb_nohash_0.wav\nyes/gone.wav\n"));
        QVERIFY(!data::readSpeechCommands(path("sc"), always));
        QVERIFY(writeFileAtomically(
            path("sc/validation_list.txt"), "yes/cc_nohash_0.wav\r\nno/gone.wav\n"));
        const auto report = prepared(data::readSpeechCommands(path("sc"), always), path("sc out"));
        QVERIFY2(report, why(report));
        QCOMPARE(splitsIn(path("sc out")),
            (std::map<std::string, std::string> { { "no/aa_nohash_1", "train" },
                { "yes/aa_nohash_0", "train" }, { "yes/bb_nohash_0", "test" },
                { "yes/cc_nohash_0", "dev" } }));
        QCOMPARE(
            data::readManifest(path("sc out/dev.csv"), "")->front().speaker, std::string("cc"));
        QCOMPARE(report->dropped.at("no audio file"),
            (std::vector<std::string> { "yes/gone.wav", "no/gone.wav" }));
    }

    void fsdd_isSplitByTake()
    {
        for (const char* name : { "0_theo_0.wav", "7_theo_5.wav", "9_theo_10.wav", "readme.wav" })
            QVERIFY(sound(path("fsdd/recordings") / name));
        const auto report = prepared(data::readFsdd(path("fsdd"), always), path("fsdd out"));
        QVERIFY2(report, why(report));
        QCOMPARE(splitsIn(path("fsdd out")),
            (std::map<std::string, std::string> {
                { "0_theo_0", "test" }, { "7_theo_5", "dev" }, { "9_theo_10", "train" } }));
        QCOMPARE(
            data::readManifest(path("fsdd out/dev.csv"), "")->front().text, std::string("seven"));
        QCOMPARE(report->dropped.size(), size_t(1));
        QVERIFY(!data::readFsdd(path("nowhere"), always));
    }

    void missingManifests_areMadeWhereTheRecipeNamesThem()
    {
        const auto recipe = [](const std::string& text) {
            return *recipe::parse("data_folder: " + text, "recipe.yaml").root;
        };
        const std::string folder = path("to prepare").string();
        for (const char* name : { "0_theo_0.wav", "7_theo_5.wav", "9_theo_10.wav" })
            QVERIFY(sound(path("to prepare/recordings") / name));
        QVERIFY(writeFileAtomically(path("kept.csv"), "kept"));
        const recipe::Node node = recipe(folder + "\ntrain_json: "
            + path("made/a/train.json").string() + "\nvalid_csv: " + path("kept.csv").string()
            + "\ntest_csv: " + path("made/b/test-clean.csv").string() + "\n");
        const auto report = prepareMissing(node);
        QVERIFY2(report, why(report));
        QCOMPARE(report->splits.size(), size_t(2));
        QCOMPARE(*readFile(path("kept.csv")), std::string("kept"));
        const auto train = data::readManifest(path("made/a/train.json"), "");
        QVERIFY(train && train->size() == 1);
        QCOMPARE(train->front().text, std::string("nine"));
        QCOMPARE(train->front().durationSeconds, 0.5);
        QCOMPARE(data::readManifest(path("made/b/test-clean.csv"), "")->front().id,
            std::string("0_theo_0"));
        const std::string sums = *readFile(path("made/a/checksums.sha256"));
        QVERIFY2(sums.find("  recordings/9_theo_10.wav\n") != std::string::npos, sums.c_str());
        QVERIFY2(
            report->notes.front().starts_with("checksums: 0 as the corpus has them, 3 recorded"),
            report->text().c_str());

        const std::string again = "\ntest_csv: [" + path("again.csv").string() + "]\n";
        QVERIFY(prepareMissing(recipe(folder + "\nskip_prep: True" + again))->splits.empty());
        QVERIFY(prepareMissing(recipe(path("made").string() + again))->splits.empty()); // no corpus
        for (const int most : { 2, 4 }) { // while files are read, and while they are checked
            int files = 0;
            const auto ask = [&] { return ++files < most; };
            QVERIFY(!data::prepareMissing(recipe(folder + again), ask, ask));
            QVERIFY(!std::filesystem::exists(path("again.csv")));
        }
        const auto both = prepareMissing(recipe(folder + "\ntest_csv: ["
            + path("again.csv").string() + ", " + path("more.csv").string() + "]\n"));
        QVERIFY(!both);
        QVERIFY2(both.error().message.ends_with("make them with 'earwright prepare'"), why(both));
        QCOMPARE(settings::corpusIn(path("sc")), std::string("speech-commands"));
    }

    void ownList_isCheckedAndNormalized()
    {
        QVERIFY(sound(path("own/a b.wav")));
        QVERIFY(sound(path("own/c.wav")));
        QVERIFY(sound(path("own/d.wav")));
        QVERIFY(writeFileAtomically(path("own/list.csv"),
            "wav,text,split,speaker\na b.wav,\"Hello, "
            "World!\",train,x\nc.wav,Yes.,dev,x\nd.wav,No?,test,y\n"
            "gone.wav,Hm,train,x\nc.wav,Again,dev,x\n,No path,dev,x\nd.wav,...,test,y\na "
            "b.wav,Odd,middle,x\nd.wav,Well, hello,test,y\n"));
        const auto report = prepareOwnList(path("own/list.csv"), path("own out"));
        QVERIFY2(report, why(report));
        QCOMPARE(data::readManifest(path("own out/train.csv"), "")->front().text,
            std::string("hello world"));
        QCOMPARE(splitsIn(path("own out")),
            (std::map<std::string, std::string> {
                { "a b", "train" }, { "c", "dev" }, { "d", "test" } }));
        QCOMPARE(report->dropped.at("an ID used before"), std::vector<std::string> { "line 6" });
        QCOMPARE(
            report->dropped.at("no path in column wav"), std::vector<std::string> { "line 7" });
        QCOMPARE(report->dropped.at("no text"), std::vector<std::string> { "line 8" });
        QCOMPARE(report->dropped.at("a split other than train, dev and test"),
            std::vector<std::string> { "line 9" });
        QCOMPARE(report->dropped.at("no audio file"), std::vector<std::string> { "gone" });
        QCOMPARE(report->dropped.at("more fields than columns: a text with a comma needs quotes"),
            std::vector<std::string> { "line 10" });
    }

    /// Of files of half a second.
    void ownListWithParts_cutsThem()
    {
        QVERIFY(sound(path("own/one.wav")) && sound(path("own/two.wav")));
        QVERIFY(writeFileAtomically(path("own/cut.csv"),
            "id,wav,text,start,stop,duration\nu1,one.wav,Part,0,,0.2\nu5,one.wav,Whole,0,4000,0.5\n"
            "u2,two.wav,Rest,1600,4000,0.3\nu3,two.wav,Said too long,,,0.9\n"
            "u4,gone.wav,Gone,,,0.9\n"));
        const auto report = prepareOwnList(path("own/cut.csv"), path("cut out"));
        QVERIFY2(report, why(report));
        QCOMPARE(report->dropped.at("no audio file"), std::vector<std::string> { "u4" });
        QCOMPARE(report->notes,
            std::vector<std::string> { "kept, but shorter than the list says: 1 (line 5)" });
        std::map<std::string, std::string> texts;
        std::map<std::string, double> seconds;
        for (const PrepareReport::Split& split : report->splits) {
            const auto set = data::readManifest(split.file, "");
            QVERIFY2(set, split.file.c_str());
            for (const data::Utterance& utterance : *set) {
                texts[utterance.id] = utterance.text;
                seconds[utterance.id] = utterance.durationSeconds;
            }
        }
        QCOMPARE(texts,
            (std::map<std::string, std::string> { { "u1", "part" }, { "u2", "rest" },
                { "u3", "said too long" }, { "u5", "whole" } }));
        QCOMPARE(seconds,
            (std::map<std::string, double> {
                { "u1", 0.2 }, { "u2", 0.3 }, { "u3", 0.5 }, { "u5", 0.5 } }));
    }

    void ownListWithoutSplits_isSplitByItsIds()
    {
        QVERIFY(sound(path("own/one.wav")));
        std::string lines = "ID,wav,wrd\n";
        std::map<std::string, std::string> expected;
        for (int i = 0; i < 60; ++i) {
            const std::string id = "u" + std::to_string(i);
            lines += id + ",one.wav,word\n";
            expected[id] = data::splitOf(id);
        }
        QVERIFY(writeFileAtomically(path("own/unsplit.csv"), lines));
        const auto report = prepareOwnList(path("own/unsplit.csv"), path("unsplit out"));
        QVERIFY2(report, why(report));
        QCOMPARE(report->splits.size(), size_t(3));
        QCOMPARE(splitsIn(path("unsplit out")), expected);
    }

    void ownListWithFewRows_hasEachSplit()
    {
        QVERIFY(sound(path("own/one.wav")));
        using Counts = std::map<std::string, int>;
        for (const auto& [rows, expected] : { std::pair { 1, Counts { { "train", 1 } } },
                 { 2, Counts { { "dev", 1 }, { "train", 1 } } },
                 { 3, Counts { { "dev", 1 }, { "test", 1 }, { "train", 1 } } },
                 { 15, Counts { { "dev", 1 }, { "test", 1 }, { "train", 13 } } } }) {
            std::string lines = "id,wav,text\n";
            for (int i = 0; i < rows; ++i)
                lines += "u" + std::to_string(i) + ",one.wav,word\n";
            QVERIFY(writeFileAtomically(path("own/few.csv"), lines));
            const auto report = prepareOwnList(path("own/few.csv"), path("few out"));
            QVERIFY2(report, why(report));
            Counts counts;
            for (const PrepareReport::Split& split : report->splits)
                counts[split.name] = static_cast<int>(split.numUtterances);
            QVERIFY2(counts == expected, report->text().c_str());
        }
    }

    /// Who has most of the utterances is for training.
    void ownListWithSpeakers_keepsThemWhole_data()
    {
        QTest::addColumn<int>("speakers");
        for (const int speakers : { 3, 5, 20 })
            QTest::newRow(std::to_string(speakers).c_str()) << speakers;
    }
    void ownListWithSpeakers_keepsThemWhole()
    {
        QFETCH(int, speakers);
        QVERIFY(sound(path("own/one.wav")));
        std::string lines = "id,wav,text,speaker\n";
        for (int i = 0; i < 4 * speakers; ++i) {
            const int speaker = i < 2 * speakers ? 0 : i % speakers;
            lines += "u" + std::to_string(i) + ",one.wav,word,s" + std::to_string(speaker) + "\n";
        }
        QVERIFY(writeFileAtomically(path("own/spoken.csv"), lines));
        const auto report = prepareOwnList(path("own/spoken.csv"), path("spoken out"));
        QVERIFY2(report, why(report));
        QCOMPARE(report->splits.size(), size_t(3));
        std::map<std::string, std::string> splitOfSpeaker;
        for (const char* split : kSplits) {
            const auto set
                = data::readManifest(path("spoken out") / (std::string(split) + ".csv"), "");
            QVERIFY(set && !set->empty());
            for (const data::Utterance& utterance : *set)
                QCOMPARE(splitOfSpeaker.emplace(utterance.speaker, split).first->second,
                    std::string(split));
        }
        QCOMPARE(splitOfSpeaker.size(), static_cast<size_t>(speakers));
        QCOMPARE(splitOfSpeaker.at("s0"), std::string("train"));
    }

    void ownList_leavesDigitsOut()
    {
        QVERIFY(sound(path("own/one.wav")));
        QVERIFY(writeFileAtomically(path("own/digits.csv"),
            "id,wav,text,split\nu1,one.wav,Route 66,train\nu2,one.wav,Route,train\n"
            "u3,one.wav,Two m²,train\nu4,one.wav,10,dev\n"));
        const auto report = prepareOwnList(path("own/digits.csv"), path("digits out"));
        QVERIFY2(report, why(report));
        QCOMPARE(report->splits.size(), size_t(1));
        QCOMPARE(report->splits[0].numUtterances, 1);
        QCOMPARE(report->dropped.at("digits, which are read as words"),
            (std::vector<std::string> { "line 2", "line 4", "line 5" }));
        QCOMPARE(report->dropped.size(), size_t(1));
        QCOMPARE(report->notes,
            (std::vector<std::string> { "no dev.csv is written: all its utterances were left out",
                "no test.csv is written: there is no such part" }));
        QVERIFY2(report->text().find(" 1 utterances      0.0 minutes      1 different words  ")
                != std::string::npos,
            report->text().c_str());
        const auto kept
            = data::readOwnList({ .file = path("own/digits.csv"), .normalizeText = false }, always);
        QCOMPARE(kept->splits.at("train").front().text, std::string("Route 66"));
        QCOMPARE(kept->splits.at("dev").front().text, std::string("10"));
    }

    void ownList_isNormalizedAsItsLanguage()
    {
        QVERIFY(sound(path("own/one.wav")));
        QVERIFY(writeFileAtomically(path("own/tr.csv"), "wav,text\none.wav,IŞIK\n"));
        const auto turkish
            = data::readOwnList({ .file = path("own/tr.csv"), .language = "tr" }, always);
        QCOMPARE(turkish->splits.at("train").front().text, std::string("ışık"));
    }

    void ownListWithUsualNames_isRead_data()
    {
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("splits");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* header, const char* splits, const char* expected) {
            QTest::newRow(header) << QString(header) << QString(splits) << QString(expected);
        };
        row("key,audio_filepath,transcript,split", "train valid test", "train dev test");
        row("ID,audio,txt,split", "Train validation TEST", "train dev test");
        row("id,path,sentence,split", "training val testing", "train dev test");
        row("id,file,words,split", "train eval test", "train dev test");
        row("id,wav,wrd,split", "train dev eval", "train dev test"); // as Kaldi's
    }
    void ownListWithUsualNames_isRead()
    {
        QFETCH(QString, header);
        QFETCH(QString, splits);
        QFETCH(QString, expected);
        QVERIFY(sound(path("own/one.wav")));
        std::string lines = header.toStdString() + "\n";
        std::map<std::string, std::string> ids;
        for (int i = 0; i < 3; ++i) {
            const std::string id = "u" + std::to_string(i);
            lines += id + ",one.wav,word," + splits.split(' ')[i].toStdString() + "\n";
            ids[id] = expected.split(' ')[i].toStdString();
        }
        QVERIFY(writeFileAtomically(path("own/usual.csv"), lines));
        const auto report = prepareOwnList(path("own/usual.csv"), path("usual out"));
        QVERIFY2(report, why(report));
        QCOMPARE(splitsIn(path("usual out")), ids);
    }

    void ownListWithoutColumns_isAnError_data()
    {
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("told");
        QTest::newRow("other names") << "sound,words"
                                     << "sound, words";
        QTest::newRow("semicolons") << "ID;wav;wrd"
                                    << "ID;wav;wrd; commas separate columns";
        QTest::newRow("tabs") << "wav\twrd"
                              << "wav\twrd; commas separate columns";
    }

    void ownListWithoutColumns_isAnError()
    {
        QFETCH(QString, header);
        QFETCH(QString, told);
        QVERIFY(writeFileAtomically(path("bad.csv"), header.toStdString() + "\na.wav,x\n"));
        const auto report = prepareOwnList(path("bad.csv"), path("bad out"));
        QVERIFY(!report);
        QVERIFY2(QString(why(report))
                     .endsWith("the header needs the columns wav and text; there are: " + told),
            why(report));
    }
};

EARWRIGHT_TEST(TstPrepare)
#include "tst_prepare.moc"
