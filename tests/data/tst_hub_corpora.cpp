#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/recipe_data.h"
#include "core/recipe/parse.h"
#include "core/settings/corpus.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;

/// What is found of a recipe's corpus before anything of it is read.
class TstHubCorpora : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void folderOfTheHub_isLookedThrough_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("cache") << "c1/hub/datasets--a--b/snapshots/1/small/train-0.parquet"
                               << "c1" << true;
        QTest::newRow("a file") << "c2/train.parquet"
                                << "c2/train.parquet" << true;
        QTest::newRow("blobs") << "c3/datasets--a--b/blobs/x.parquet"
                               << "c3" << false;
        QTest::newRow("too deep") << "c4/1/2/3/4/5/6/7/train.parquet"
                                  << "c4" << false;
        QTest::newRow("another file") << "c5/train.txt"
                                      << "c5/train.txt" << false;
    }

    void folderOfTheHub_isLookedThrough()
    {
        QFETCH(QString, file);
        QFETCH(QString, folder);
        QFETCH(bool, isFound);
        QVERIFY(text(path(file.toStdString()), ""));
        const std::string hub = path(folder.toStdString()).string();
        const recipe::Node recipe
            = *recipe::parse("hf_hub: a/b\nhf_caching_dir: " + hub + "\n", "recipe.yaml").root;
        const settings::FoundCorpus corpus = settings::corpusOf(recipe);
        QCOMPARE(corpus.name, std::string(isFound ? "parquet" : ""));
        QCOMPARE(corpus.folder.string(), isFound ? hub : "");
        QCOMPARE(settings::mayMakeManifests(recipe), isFound);
    }

    /// What it will hold decides.
    void folderThatIsStillOpen_mayHoldACorpus()
    {
        const auto mayMake = [](const std::string& lines) {
            return settings::mayMakeManifests(*recipe::parse(lines, "recipe.yaml").root);
        };
        QVERIFY(mayMake("data_folder: !PLACEHOLDER\n"));
        QVERIFY(mayMake("data_folder: /none\nhf_download_folder: !PLACEHOLDER\n"));
        QVERIFY(!mayMake("data_folder: !PLACEHOLDER\nskip_prep: True\n"));
        QVERIFY(!mayMake("data_folder: /none\nother_folder: !PLACEHOLDER\n"));
    }

    /// PeoplesSpeech and Loquacious read theirs from the Hub.
    void manifestsBesideTrainCsv_areThoseOfTheHubsRecipes()
    {
        const auto pathsOf = [&](const std::string& more) {
            const recipe::Node recipe = *recipe::parse(
                "train_csv: " + path("hub").string() + "/train.csv\n" + more, "recipe.yaml")
                                             .root;
            Names paths;
            for (const char* split : { "train", "valid", "test" })
                for (const data::NamedManifest& manifest : data::manifestsOf(recipe, split))
                    paths.push_back(std::filesystem::path(manifest.path).filename().string());
            return paths;
        };
        QVERIFY(pathsOf("hf_hub: x/y\n") == Names({ "train.csv", "dev.csv", "test.csv" }));
        QVERIFY(text(path("hub/validation.csv"), "ID\n"));
        QVERIFY(pathsOf("hf_download_folder: x\n")
            == Names({ "train.csv", "validation.csv", "test.csv" }));
        QVERIFY(pathsOf("hf_hub: x/y\nvalid_csv: a.csv\n")
            == Names({ "train.csv", "a.csv", "test.csv" }));
        QVERIFY(pathsOf("") == Names { "train.csv" });
    }
};

EARWRIGHT_TEST(TstHubCorpora)
#include "tst_hub_corpora.moc"
