#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/missing.h"
#include "core/data/prepare/parquet.h"
#include "core/data/prepare/parts.h"
#include "core/recipe/parse.h"

#include <QTest>

#include <map>

using namespace earwright;
using namespace earwright::tests;

namespace {

const std::string kDatasets = EARWRIGHT_CASES_DIR "/data/parquet/";

/// Where this build has no Arrow, an error says so.
bool isRefused(const Result<data::Corpus>& corpus)
{
    return !corpus && corpus.error().message.starts_with("this build cannot read Parquet");
}

} // namespace

/// Datasets of Hugging Face's, audio inside; the files of cases/data/parquet were written by
/// pyarrow.
class TstParquet : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (isRefused(data::readParquet(
                { .folder = kDatasets + "unnamed", .soundsFolder = path("probe") }, always)))
            QSKIP("pyarrow's headers and libraries were not there when this was built: "
                  "packaging/setup.sh installs them");
    }

    void dataset_becomesManifestsAndSounds();
    void texts_stayAsTheyAreWhereAsked();
    void filesWithoutASplit_areSplit();
    void subsets_areWhatIsTrainedOn();
    void subsetsOfTheHubsCache_areLinks();
    void textsOfPeoplesSpeech_keepTheirDigits();
    void pathsForSounds_areNoSounds();
    void recipeOfTheHub_getsItsManifests();
    void whatIsNoDataset_isNamed_data();
    void whatIsNoDataset_isNamed();
    void linkBackUp_isNoEndlessWay();
};

void TstParquet::dataset_becomesManifestsAndSounds()
{
    const auto corpus = data::readCorpus(
        "parquet", { .folder = kDatasets + "two_splits", .outFolder = path("out") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "digits, which are read as words", { "a3" } },
            { "no text", { "a4" } }, { "no audio in the dataset", { "a5" } },
            { "an ID used before", { "a2" } },
            { "audio that cannot be read", corpus->dropped.at("audio that cannot be read") } }));
    QCOMPARE(corpus->dropped.at("audio that cannot be read").size(), size_t { 1 });
    const auto report = data::writeParts(*corpus, path("out"));
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("out/train.csv")) == (Names { "a/1 7 good morning", "a2 8 thank you" }));
    QVERIFY(rowsOf(path("out/dev.csv")) == (Names { "v1 9 yes" }));
    const auto utterances = data::readManifest(path("out/train.csv"), "");
    QCOMPARE(utterances->front().durationSeconds, 0.1);
    QVERIFY(utterances->front().wav.ends_with("/out/sounds/train/a%2F1.wav"));
}

void TstParquet::texts_stayAsTheyAreWhereAsked()
{
    const auto corpus
        = data::readParquet({ .folder = kDatasets + "two_splits/train-00000-of-00001.parquet",
                                .soundsFolder = path("sounds"),
                                .texts = data::ParquetTexts::Kept },
            always);
    QVERIFY2(corpus, why(corpus));
    const std::vector<data::Utterance>& train = corpus->splits.at("train");
    QCOMPARE(train.size(), size_t { 3 });
    QCOMPARE(train[0].text, std::string("Good <COMMA> morning"));
    QCOMPARE(train[2].text, std::string("in 1984"));
}

void TstParquet::filesWithoutASplit_areSplit()
{
    const auto corpus = data::readParquet(
        { .folder = kDatasets + "unnamed", .soundsFolder = path("sounds") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus)
        == (Names { "clip_five", "clip_four", "clip_one", "clip_six", "clip_three", "clip_two" }));
    for (const char* split : { "train", "dev", "test" })
        QVERIFY(!corpus->splits.at(split).empty());
}

void TstParquet::subsets_areWhatIsTrainedOn()
{
    const std::filesystem::path train = kDatasets + "two_splits/train-00000-of-00001.parquet";
    for (const char* subset : { "clean", "dirty" }) {
        std::filesystem::create_directories(path("hub") / subset);
        std::filesystem::copy_file(train, path("hub") / subset / "train-0.parquet");
    }
    std::filesystem::create_directories(path("hub/test"));
    std::filesystem::copy_file(
        kDatasets + "two_splits/validation/0000.parquet", path("hub/test/0.parquet"));
    const auto read = [&](const Names& subsets) {
        return data::readParquet({ .folder = path("hub"),
                                     .soundsFolder = path("sounds"),
                                     .subsets = subsets,
                                     .texts = data::ParquetTexts::Capitals },
            always);
    };
    const auto corpus = read({ "clean" });
    QVERIFY2(corpus, why(corpus));
    QVERIFY(!corpus->dropped.contains("an ID used before")
        || corpus->dropped.at("an ID used before").size() == 1);
    QCOMPARE(corpus->splits.at("test").size(), size_t { 1 });
    QCOMPARE(corpus->splits.at("test").front().text, std::string("YES"));
    const auto missing = read({ "clean", "huge" });
    QVERIFY(!missing);
    QVERIFY2(
        missing.error().message.find("has no folder 'huge' with *.parquet") != std::string::npos,
        why(missing));
}

/// Files of a snapshot lead to blobs whose names tell nothing.
void TstParquet::subsetsOfTheHubsCache_areLinks()
{
    const std::filesystem::path blobs = path("links/datasets--a--b/blobs");
    std::filesystem::create_directories(blobs);
    std::filesystem::copy_file(
        kDatasets + "two_splits/train-00000-of-00001.parquet", blobs / "0123abcd");
    for (const char* subset : { "large", "small" }) {
        const std::filesystem::path folder = path("links/datasets--a--b/snapshots/4567ef") / subset;
        std::filesystem::create_directories(folder);
        std::filesystem::create_symlink("../../../blobs/0123abcd", folder / "train-0.parquet");
    }
    const auto corpus = data::readParquet({ .folder = path("links"),
                                              .soundsFolder = path("sounds"),
                                              .subsets = { "large" },
                                              .texts = data::ParquetTexts::Kept },
        always);
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").size(), size_t { 3 });
    QCOMPARE(corpus->dropped.at("an ID used before").size(), size_t { 1 }); // the data set's own
}

/// As upstream's script writes them. A name that is too long for a file ends nothing.
void TstParquet::textsOfPeoplesSpeech_keepTheirDigits()
{
    const auto corpus = data::readParquet({ .folder = kDatasets + "odd_rows",
                                              .soundsFolder = path("sounds"),
                                              .texts = data::ParquetTexts::Capitals },
        always);
    QVERIFY2(corpus, why(corpus));
    Names texts;
    for (const data::Utterance& utterance : corpus->splits.at("train"))
        texts.push_back(utterance.id + " " + utterance.text);
    QVERIFY(texts == (Names { "n1 IN 1984 AND LATER", "n2 STRASSE NO 7" }));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "an ID too long for a file name", { std::string(240, 'x') } },
            { "signs that can be spoken in several ways", { "n3" } }, { "no text", { "n4" } } }));
}

void TstParquet::pathsForSounds_areNoSounds()
{
    const auto corpus = data::readParquet(
        { .folder = kDatasets + "paths_for_sounds", .soundsFolder = path("sounds") }, always);
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped.at("no audio in the dataset") == Names { "p1" });
}

/// As PeoplesSpeech's and Loquacious' scripts read them.
void TstParquet::recipeOfTheHub_getsItsManifests()
{
    std::filesystem::create_directories(path("cache/snapshots/1/small"));
    std::filesystem::copy_file(kDatasets + "two_splits/train-00000-of-00001.parquet",
        path("cache/snapshots/1/small/train-0.parquet"));
    for (const char* split : { "dev", "test" }) {
        std::filesystem::create_directories(path("cache/snapshots/1/small"));
        std::filesystem::copy_file(kDatasets + "two_splits/validation/0000.parquet",
            path("cache/snapshots/1/small") / (std::string(split) + "-0.parquet"));
    }
    const recipe::Node recipe = *recipe::parse(
        "hf_hub: speechbrain/LoquaciousSet\nhf_caching_dir: " + path("cache").string()
            + "\ntls_subset: small\ntrain_csv: " + path("made/train.csv").string() + "\n",
        "recipe.yaml")
                                     .root;
    const auto report = data::prepareMissing(recipe, always, always);
    QVERIFY2(report, why(report));
    QVERIFY(rowsOf(path("made/train.csv"))
        == (Names { "a/1 7 Good <COMMA> morning", "a2 8 THANK YOU", "a3 8 in 1984" }));
    QVERIFY(rowsOf(path("made/dev.csv")) == (Names { "v1 9 yes" }));
}

void TstParquet::whatIsNoDataset_isNamed_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("error");
    QTest::newRow("no file") << "none"
                             << "no *.parquet in";
    QTest::newRow("no text") << "no_text"
                             << "has no column text or sentence or transcription or transcript or "
                                "normalized_text or wrd: id, duration, audio";
    QTest::newRow("no Parquet") << "broken.parquet"
                                << "broken.parquet' is not read: ";
}

void TstParquet::whatIsNoDataset_isNamed()
{
    QFETCH(QString, what);
    QFETCH(QString, error);
    const auto corpus = data::readParquet(
        { .folder = kDatasets + what.toStdString(), .soundsFolder = path("sounds") }, always);
    QVERIFY(!corpus);
    QVERIFY2(corpus.error().message.find(error.toStdString()) != std::string::npos, why(corpus));
}

void TstParquet::linkBackUp_isNoEndlessWay()
{
    QVERIFY(text(path("set/part/notes.txt"), "no Parquet"));
    for (const char* name : { "set/part/up", "set/part/again" })
        std::filesystem::create_directory_symlink(path("set"), path(name));
    const auto corpus
        = data::readParquet({ .folder = path("set"), .soundsFolder = path("sounds") }, always);
    QVERIFY(!corpus);
    QVERIFY2(corpus.error().message.find("folders lie in each other in") != std::string::npos,
        why(corpus));
}

EARWRIGHT_TEST(TstParquet)
#include "tst_parquet.moc"
