#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/capital_words.h"
#include "core/data/prepare/libriheavy.h"
#include "core/data/prepare/missing.h"
#include "core/data/recipe_data.h"
#include "core/recipe/parse.h"
#include "core/settings/corpus.h"

#include <QTest>
#include <zlib.h>

using namespace earwright;
using namespace earwright::tests;

namespace {

constexpr const char* kTimitPhones = "0 100 h#\n100 200 sh\n200 300 q\n300 400 bcl\n400 500 b\n"
                                     "500 600 pau\n600 700 h#\n";
constexpr const char* kTimitWords = "100 300 she\n300 500 bee\n";

/// A sentence of TIMIT, its endings as they are given.
bool timitSentence(const std::filesystem::path& stem, bool isOfCapitals = false)
{
    const std::string name = stem.string();
    return sound(name + (isOfCapitals ? ".WAV" : ".wav"), SF_FORMAT_NIST | SF_FORMAT_PCM_16)
        && text(name + (isOfCapitals ? ".PHN" : ".phn"), kTimitPhones)
        && text(name + (isOfCapitals ? ".WRD" : ".wrd"), kTimitWords);
}

bool writeGzip(const std::filesystem::path& path, const std::string& content)
{
    std::filesystem::create_directories(path.parent_path());
    gzFile file = gzopen(path.c_str(), "wb");
    const bool isWritten = file != nullptr
        && gzwrite(file, content.data(), static_cast<unsigned>(content.size()))
            == static_cast<int>(content.size());
    return isWritten && gzclose(file) == Z_OK;
}

std::string libriheavyCut(
    const std::string& id, const std::string& recording, const std::string& words)
{
    return "{\"id\": \"" + id
        + "\", \"start\": 0.125, \"duration\": 1.25, \"recording\": {\"id\": \"" + recording
        + "\"}, \"supervisions\": [{\"speaker\": \"7\", \"custom\": {\"texts\": [\"\", \"" + words
        + "\"]}}]}\n";
}

} // namespace

/// Corpora whose manifests upstream's train scripts make themselves.
class TstUpstreamCorpora : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    std::filesystem::path path(const std::string& name) const
    {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }

    /// The manifests NAME.ENDING of a folder that does not exist yet.
    recipe::Node recipeOf(
        const std::string& corpus, const std::string& ending, const std::string& more = "") const
    {
        std::string lines = "data_folder: " + path(corpus).string() + "\n" + more;
        for (const char* split : { "train", "valid", "test" })
            lines += std::string(split) + "_annotation: " + path(corpus + " out").string() + "/"
                + split + "." + ending + "\n";
        return *recipe::parse(lines, "recipe.yaml").root;
    }

    static Result<data::PrepareReport> prepare(const recipe::Node& recipe)
    {
        return data::prepareMissing(recipe, always, always);
    }

private Q_SLOTS:
    void timit_hasFoldedPhonesAndFixedSpeakers_data()
    {
        QTest::addColumn<bool>("isOfCapitals");
        QTest::newRow("small letters") << false;
        QTest::newRow("capitals") << true;
    }

    void timit_hasFoldedPhonesAndFixedSpeakers()
    {
        QFETCH(bool, isOfCapitals);
        const std::string corpus = isOfCapitals ? "timit capitals" : "timit";
        const std::vector<std::string> stems = isOfCapitals
            ? std::vector<std::string> { "TRAIN/DR1/FAAA0/SX1", "TRAIN/DR1/FAAA0/SA1",
                  "TEST/DR1/FAKS0/SI2", "TEST/DR1/FELC0/SX3", "TEST/DR1/MZZZ0/SX4" }
            : std::vector<std::string> { "train/dr1/faaa0/sx1", "train/dr1/faaa0/sa1",
                  "test/dr1/faks0/si2", "test/dr1/felc0/sx3", "test/dr1/mzzz0/sx4" };
        for (const std::string& stem : stems)
            QVERIFY(timitSentence(path(corpus) / stem, isOfCapitals));
        QCOMPARE(settings::corpusIn(path(corpus)), std::string("timit"));
        const auto report = prepare(recipeOf(corpus, "json"));
        QVERIFY2(report, why(report));
        settings::ManifestColumns phones;
        phones.text = { "phn" };
        const auto train = data::readManifest(path(corpus + " out") / "train.json", "", phones);
        QVERIFY2(train, why(train));
        QCOMPARE(train->size(), size_t(1));
        QCOMPARE(train->front().id, std::string("faaa0_sx1"));
        QCOMPARE(train->front().text, std::string("sil sh sil b sil"));
        QCOMPARE(train->front().speaker, std::string("faaa0"));
        QVERIFY(
            rowsOf(path(corpus + " out") / "valid.json") == Names { "faks0_si2 faks0 she bee" });
        QVERIFY(rowsOf(path(corpus + " out") / "test.json") == Names { "felc0_sx3 felc0 she bee" });
    }

    void voicebank_needsItsLexicon()
    {
        for (const char* id : { "trainset_28spk p226_001", "trainset_28spk p300_001",
                 "trainset_28spk p300_002", "testset p232_001" }) {
            const std::string name(id);
            const std::string set = name.substr(0, name.find(' '));
            const std::string file = name.substr(name.find(' ') + 1);
            QVERIFY(sound(path("vb/noisy_" + set + "_wav_16k/" + file + ".wav")));
            QVERIFY(text(path("vb/" + set + "_txt/" + file + ".txt"),
                file == "p300_002" ? "Xylo call.\n" : "Please, call O'Neil.\n"));
        }
        const recipe::Node recipe = recipeOf("vb", "json", "input_type: noisy_wav\nper_stats: 1\n");
        const auto without = prepare(recipe);
        QVERIFY(!without);
        QVERIFY2(without.error().message.ends_with(
                     "lexicon.txt': No such file or directory; it is librispeech-lexicon.txt of "
                     "https://www.openslr.org/11: save it there"),
            why(without));
        QVERIFY(text(path("vb/lexicon.txt"),
            "PLEASE\tP L IY1 Z\nPLEASE\tP L\nCALL  K AO1 L\nO'NEIL  L OW0 N IY1 L\n"));
        const auto report = prepare(recipe);
        QVERIFY2(report, why(report));
        QVERIFY(report->dropped.at("a word that lexicon.txt lacks") == Names { "p300_002" });
        const auto train
            = data::readManifest(path("vb out/train.json"), "", settings::manifestColumns(recipe));
        QVERIFY2(train, why(train));
        QCOMPARE(train->front().text, std::string("P L IY Z K AO L OW N IY L"));
        QVERIFY(train->front().wav.ends_with("noisy_trainset_28spk_wav_16k/p300_001.wav"));
        QVERIFY(!data::readManifest(path("vb out/train.json"), "")); // no "wav"
    }

    void tedlium2_isCutIntoUtterances()
    {
        for (const char* split : { "train", "dev", "test" }) {
            const std::filesystem::path folder = path("ted") / split;
            QVERIFY(writeSound(
                (std::filesystem::create_directories(folder / "sph"), folder / "sph/Talk_2010.sph"),
                sine(32000, 300, 8000),
                { .sampleRateHz = 8000, .format = SF_FORMAT_NIST | SF_FORMAT_PCM_16 }));
            QVERIFY(text(folder / "stm/Talk_2010.stm",
                "Talk_2010 1 Ann 0.5 2.0 <o,f0,female> it 's what we 've got .\n"
                "Talk_2010 1 Ann 2.0 2.5 <o,f0,female> too short\n"
                "Talk_2010 1 Ann 2.0 3.5 <o,f0,female> and so on …\n"
                "Talk_2010 1 Ann 2.5 3.75 <o,f0,female> ignore_time_segment_in_scoring\n"));
        }
        const auto report = prepare(recipeOf("ted", "csv",
            "avoid_if_shorter_than: 1.0\nclipped_utt_folder: " + path("clips").string() + "\n"));
        QVERIFY2(report, why(report));
        const auto train = data::readManifest(path("ted out/train.csv"), "");
        QVERIFY2(train, why(train));
        QCOMPARE(train->size(), size_t(2));
        QCOMPARE(train->at(1).text, std::string("and so on"));
        QCOMPARE(train->front().text, std::string("it's what we've got"));
        QCOMPARE(train->front().durationSeconds, 1.5);
        QCOMPARE(QString::fromStdString(train->front().wav),
            QString::fromStdString(path("clips/train/Talk_2010-0.wav").string()));
        QVERIFY(std::filesystem::exists(train->front().wav));
    }

    void libriheavy_isReadByItsPlaces()
    {
        QVERIFY(writeSound((std::filesystem::create_directories(path("ll/large/7/book")),
                               path("ll/large/7/book/one.flac")),
            sine(32000, 300, 16000), { .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
        for (const char* part : { "large", "dev", "test_clean" })
            QVERIFY(
                writeGzip(path("lists") / ("libriheavy_cuts_" + std::string(part) + ".jsonl.gz"),
                    libriheavyCut("a", "large/7/book/one", "Well—he said, “don’t & go”.")
                        + libriheavyCut("b", "large/7/book/one", "chapter 3")
                        + libriheavyCut("d", "large/7/book/one", "so")
                        + libriheavyCut("c", "large/7/book/none", "one")));
        const std::string out = path("ll out").string();
        const recipe::Node recipe = *recipe::parse("data_folder: " + path("ll").string()
                + "\nmanifest_folder: " + path("lists").string() + "\ntrain_splits: [large]"
                + "\ntrain_csv: " + out + "/large.csv\nvalid_csv: " + out + "/dev.csv\ntest_csv: ["
                + out + "/dev.csv, " + out + "/test_clean.csv]\n",
            "recipe.yaml")
                                         .root;
        QCOMPARE(settings::corpusOf(recipe).name, std::string("libriheavy"));
        QCOMPARE(settings::corpusOf(recipe).folder, path("ll"));
        const auto report = prepare(recipe);
        QVERIFY2(report, why(report));
        QCOMPARE(report->splits.size(), size_t(3)); // dev once
        QVERIFY(report->dropped.at("signs that can be spoken in several ways")
            == Names({ "b", "b", "b" }));
        QVERIFY(
            report->dropped.at("a text of fewer than 3 characters") == Names({ "d", "d", "d" }));
        const auto train = data::readManifest(path("ll out/large.csv"), "");
        QVERIFY2(train, why(train));
        QCOMPARE(train->size(), size_t(1));
        QCOMPARE(train->front().text, std::string("WELL HE SAID DON'T AND GO"));
        QVERIFY((train->front().part == data::SoundPart { .begin = 0.125, .seconds = 1.25 }));
    }

    void sentences_becomeCapitalWords_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("withDigits"); // those of People's Speech
        const auto add = [](const char* name, const char* sentence, const char* words,
                             const char* withDigits = nullptr) {
            QTest::newRow(name) << sentence << words << (withDigits ? withDigits : words);
        };
        add("quotes", "‘Tis ’em' o'er", "TIS EM O'ER");
        add("ligatures", "a ﬂy…now ﬁnd", "A FLY NOW FIND");
        add("plus", "a+b", "A PLUS B");
        add("accent", "café", "none");
        add("bracket", "[sic] so", "none");
        add("nothing", "— … !", "");
        add("digits", "in 1984's", "none", "IN 1984'S");
        add("underscore", "a_b", "none", "A B");
        add("German", "Straße", "none", "STRASSE");
    }

    void sentences_becomeCapitalWords()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, words);
        QFETCH(QString, withDigits);
        const auto made = data::capitalWords(sentence.toStdString());
        QCOMPARE(QString::fromStdString(made.value_or("none")), words);
        const auto kept = data::capitalWords(sentence.toStdString(), data::CapitalDigits::Kept);
        QCOMPARE(QString::fromStdString(kept.value_or("none")), withDigits);
    }

    /// Upstream's recipes validate and test on dev-clean, and train on the parts they name.
    void librispeech_isPreparedOnceAndByTrainSplits()
    {
        for (const std::string part : { "train-clean-100", "train-other-500", "dev-clean" }) {
            const std::string id = part + "-1-1";
            QVERIFY(flac(path("ls/LibriSpeech") / part / "1/1" / (id + ".flac")));
            QVERIFY(text(path("ls/LibriSpeech") / part / "1/1/1-1.trans.txt", id + " A B\n"));
        }
        // Of a part that is not asked for nothing is read.
        QVERIFY(text(path("ls/LibriSpeech/train-other-500/1/1/1-1.trans.txt"), "a \xff\xfe\n"));
        const std::string out = path("ls out").string();
        const auto recipeWith = [&](const std::string& splits) {
            return *recipe::parse("data_folder: " + path("ls").string()
                    + "\ntrain_splits: " + splits + "\ntrain_csv: " + out
                    + "/train.csv\nvalid_csv: " + out + "/dev-clean.csv\ntest_csv: [" + out
                    + "/dev-clean.csv, " + out + "/dev-clean.csv]\n",
                "recipe.yaml")
                        .root;
        };
        const auto refused = prepare(recipeWith("[train-clean-360]"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
            std::string("train_splits names 'train-clean-360', which the corpus in data_folder "
                        "does not have"));
        recipe::Node heldOut = recipeWith("[train-clean-100]");
        *recipe::find(heldOut, "valid_csv") = *recipe::makeScalar(out + "/train-other-500.csv");
        const auto both = prepare(heldOut);
        QVERIFY(!both);
        QCOMPARE(both.error().message,
            std::string("a manifest of 'train-other-500' is wanted beside one of train_splits, "
                        "which does not name it; make them with 'earwright prepare librispeech'"));
        const recipe::Node recipe = recipeWith("[train-clean-100]");
        QCOMPARE(data::manifestsOf(recipe, "test").size(), size_t(1));
        const auto report = prepare(recipe);
        QVERIFY2(report, why(report));
        QVERIFY(rowsOf(path("ls out/train.csv")) == Names { "train-clean-100-1-1 1 A B" });
        QVERIFY(rowsOf(path("ls out/dev-clean.csv")) == Names { "dev-clean-1-1 1 A B" });
    }

    /// As upstream's script makes it, but that nothing is downloaded.
    void csvOfNoises_isMadeOfItsFolder()
    {
        const recipe::Node recipe = *recipe::parse(
            "prepare_noise_data: !name:speechbrain.augment.preparation.prepare_dataset_from_URL\n"
            "    URL: https://x.org/noises.zip\n    dest_folder: "
                + path("noise").string() + "\n    ext: wav\n    csv_file: "
                + path("made/noise.csv").string() + "\nwav_augment: "
                + "!new:speechbrain.augment.time_domain.AddNoise\n    csv_file: "
                + path("made/noise.csv").string() + "\n",
            "recipe.yaml")
                                         .root;
        const auto errors = [&] {
            Names messages;
            for (const recipe::Diagnostic& one : data::inspectRecipe(recipe))
                messages.push_back(one.message);
            return messages;
        };
        QVERIFY(errors()
            == Names { "'" + path("made/noise.csv").string() + "' is not there, and the folder '"
                + path("noise").string()
                + "' has no .wav from which it would be made; nothing is downloaded: unpack "
                  "https://x.org/noises.zip there" });
        QVERIFY(prepare(recipe)); // reading it tells
        QVERIFY(!std::filesystem::exists(path("made/noise.csv")));
        QVERIFY(sound(path("noise/b/two.wav")));
        QVERIFY(sound(path("noise/a.wav")));
        QVERIFY(errors().empty());
        QVERIFY(prepare(recipe));
        QCOMPARE(*readFile(path("made/noise.csv")),
            "ID,duration,wav,wav_format,wav_opts\na_0,0.5," + path("noise/a.wav").string()
                + ",wav,\ntwo_1,0.5," + path("noise/b/two.wav").string() + ",wav,\n");
        QVERIFY(errors().empty());
    }

    void csvOfNoises_isNotMadeOfNone()
    {
        QVERIFY(text(path("no noise/a.wav"), "RIFF this is no audio file"));
        const recipe::Node recipe = *recipe::parse(
            "prepare_noise_data: !name:speechbrain.augment.preparation.prepare_dataset_from_URL\n"
            "    dest_folder: "
                + path("no noise").string()
                + "\n    ext: wav\n    csv_file: " + path("no noise.csv").string() + "\n",
            "recipe.yaml")
                                         .root;
        const auto report = prepare(recipe);
        QVERIFY(!report);
        QCOMPARE(report.error().message,
            "none of the .wav in '" + path("no noise").string() + "' can be read, of which '"
                + path("no noise.csv").string() + "' would be made");
        QVERIFY(!std::filesystem::exists(path("no noise.csv")));
    }

    void manifestThatTestsToo_isReadOnce()
    {
        QVERIFY(text(path("once/dev.csv"), "ID,duration,wav,transcript\nu1,1,/none.wav,A\n"));
        const std::string dev = path("once/dev.csv").string();
        const recipe::Node recipe = *recipe::parse(
            "valid_data: " + dev + "\ntest_csv: [" + dev + ", " + dev + "]\n", "recipe.yaml")
                                         .root;
        const auto found = data::inspectRecipe(recipe);
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found.front().rule, std::string("data-missing-file"));
    }

    void manifests_areFoundByUpstreamsKeys_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::newRow("AISHELL") << "train_data: a.csv\nvalid_data: b.csv\ntest_data: c.csv\n";
        QTest::newRow("MEDIA") << "csv_train: a.csv\ncsv_valid: b.csv\ncsv_test: c.csv\n";
        QTest::newRow("TIMIT")
            << "train_annotation: a.csv\nvalid_annotation: b.csv\ntest_annotation: c.csv\n";
    }

    void manifests_areFoundByUpstreamsKeys()
    {
        QFETCH(QString, keys);
        const recipe::Node recipe = *recipe::parse(keys.toStdString(), "recipe.yaml").root;
        for (const auto& [split, file] :
            { std::pair { "train", "a.csv" }, { "valid", "b.csv" }, { "test", "c.csv" } }) {
            const auto manifests = data::manifestsOf(recipe, split);
            QCOMPARE(manifests.size(), size_t(1));
            QCOMPARE(manifests.front().path, std::string(file));
        }
    }
};

EARWRIGHT_TEST(TstUpstreamCorpora)
#include "tst_upstream_corpora.moc"
