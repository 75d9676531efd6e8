#include "core/base/file.h"
#include "core/recipe/parse.h"
#include "core/train/task/hotword_list.h"
#include "core/train/weights/kept_files.h"
#include "core/train/weights/starting_recipe.h"
#include "tests/registry.h"

#include <filesystem>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace earwright;

/// What a run keeps of the files that its recipe names.
class TstKeptFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void file_isReadWhereTheRunKeepsIt();
    void fileOfALayerInModules_isKept();
    void listOfAnyName_isKept_data();
    void listOfAnyName_isKept();
    void words_areNoFile_data();
    void words_areNoFile();
    void missingFile_isNamed();
    void ofSeveralWeights_theLastWithLabelsCounts();
    void pipeAsWeights_isLeftAsItIs();

private:
    std::string path(const std::string& name) const
    {
        return m_folder.path().toStdString() + "/" + name;
    }
    static recipe::NodePtr recipeOf(const std::string& text)
    {
        return recipe::parse(text, "recipe.yaml").root;
    }

    QTemporaryDir m_folder;
};

void TstKeptFiles::file_isReadWhereTheRunKeepsIt()
{
    QVERIFY(bool(writeFileAtomically(path("list.txt"), "art\nstar\n")));
    QVERIFY(bool(writeFileAtomically(path("am.mvn"), "<AddShift> [ 1 ]")));
    QVERIFY(bool(writeFileAtomically(path("digits.arpa"), "\\data\\")));
    const recipe::NodePtr recipe = recipeOf("hotword: " + path("list.txt")
        + "\nfrontend: !new:funasr.frontends.wav_frontend.WavFrontend\n    cmvn_file: "
        + path("am.mvn") + "\nmodules:\n    frontend: 1\ntest_beam_search:\n    kenlm_model_path: "
        + path("digits.arpa") + "\n");
    const std::string run = path("run");
    std::filesystem::create_directory(run);
    QCOMPARE(recipe::asString(*recipe::find(*train::withKeptFiles(*recipe, run), "hotword")),
        path("list.txt")); // nothing is kept yet
    const auto kept = train::keepFiles(*recipe, run);
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    std::filesystem::remove(path("list.txt"));
    std::filesystem::remove(path("am.mvn"));
    std::filesystem::remove(path("digits.arpa"));
    QVERIFY(bool(train::keepFiles(*recipe, run))); // as a resumed run does
    const recipe::NodePtr moved = train::withKeptFiles(*recipe, run);
    const auto words = train::recipeHotwords(*moved);
    QVERIFY2(words, words ? "" : words.error().message.c_str());
    QCOMPARE(*words, (std::vector<std::string> { "art", "star" }));
    const auto cmvn = readFile(recipe::asString(*recipe::findPath(*moved, "frontend.cmvn_file")));
    QVERIFY(cmvn && *cmvn == "<AddShift> [ 1 ]");
    const auto ngram = readFile(
        recipe::asString(*recipe::findPath(*moved, "test_beam_search.kenlm_model_path")));
    QVERIFY(ngram && *ngram == "\\data\\");
    QCOMPARE(recipe::asString(*recipe::find(*recipe, "hotword")), path("list.txt")); // as it was
}

/// A layer may be written there alone.
void TstKeptFiles::fileOfALayerInModules_isKept()
{
    QVERIFY(bool(writeFileAtomically(path("own.mvn"), "<AddShift> [ 2 ]")));
    const recipe::NodePtr recipe
        = recipeOf("modules:\n    frontend: !new:funasr.frontends.wav_frontend.WavFrontend\n"
                   "        cmvn_file: "
            + path("own.mvn") + "\n");
    const QTemporaryDir run;
    const std::string folder = run.path().toStdString();
    QVERIFY(bool(train::keepFiles(*recipe, folder)));
    std::filesystem::remove(path("own.mvn"));
    const recipe::NodePtr moved = train::withKeptFiles(*recipe, folder);
    const auto cmvn
        = readFile(recipe::asString(*recipe::findPath(*moved, "modules.frontend.cmvn_file")));
    QVERIFY(cmvn && *cmvn == "<AddShift> [ 2 ]");
}

void TstKeptFiles::listOfAnyName_isKept_data()
{
    QTest::addColumn<std::string>("name");
    QTest::newRow("below a folder") << path("words.lst");
    QTest::newRow("in the working folder") << std::string("words.lst");
}

void TstKeptFiles::listOfAnyName_isKept()
{
    QFETCH(std::string, name);
    const std::filesystem::path before = std::filesystem::current_path();
    const auto back = qScopeGuard([&] { std::filesystem::current_path(before); });
    std::filesystem::current_path(m_folder.path().toStdString());
    QVERIFY(bool(writeFileAtomically("words.lst", "art\nstar\n")));
    const recipe::NodePtr recipe = recipeOf("hotword: " + name + "\n");
    const QTemporaryDir run;
    const std::string folder = run.path().toStdString();
    QVERIFY(bool(train::keepFiles(*recipe, folder)));
    std::filesystem::remove("words.lst");
    QVERIFY(bool(train::keepFiles(*recipe, folder))); // as a resumed run does
    const auto words = train::recipeHotwords(*train::withKeptFiles(*recipe, folder));
    QVERIFY(words && *words == (std::vector<std::string> { "art", "star" }));
}

void TstKeptFiles::words_areNoFile_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::newRow("words") << std::string("hotword: art star\n");
    QTest::newRow("sequence") << std::string("hotword: [art, star]\n");
}

void TstKeptFiles::words_areNoFile()
{
    QFETCH(std::string, recipe);
    const recipe::NodePtr root = recipeOf(recipe);
    QVERIFY(bool(train::keepFiles(*root, m_folder.path().toStdString())));
    const auto words = train::recipeHotwords(*train::withKeptFiles(*root, path("")));
    QVERIFY(words && *words == (std::vector<std::string> { "art", "star" }));
}

void TstKeptFiles::missingFile_isNamed()
{
    const auto kept = train::keepFiles(*recipeOf("hotword: nowhere/list.txt\n"), path(""));
    QVERIFY(!kept);
    QVERIFY2(kept.error().message.starts_with("hotword: "), kept.error().message.c_str());
}

/// The weights of the later ones count, so the labels do too.
void TstKeptFiles::ofSeveralWeights_theLastWithLabelsCounts()
{
    for (const char* run : { "first", "second", "third" })
        std::filesystem::create_directory(path(run));
    for (const char* run : { "first", "second" })
        QVERIFY(bool(writeFileAtomically(path(run) + "/label_encoder.txt", "")));
    const auto startOf = [](const std::string& given) {
        const train::StartingRecipe starting(*recipeOf("init_param: " + given + "\n"));
        return recipe::asString(*recipe::find(*starting.recipe(), "init_param"));
    };
    const std::string all = path("first") + "," + path("second") + "," + path("third");
    QCOMPARE(startOf(all), path("second"));
    QCOMPARE(startOf("[" + all + "]"), path("second"));
    QCOMPARE(startOf(path("third")), path("third"));
    QCOMPARE(startOf("null\ntrain_conf:\n    init_param: " + all), path("second"));
}

/// Who reads the weights says so; reading it here would wait for ever.
void TstKeptFiles::pipeAsWeights_isLeftAsItIs()
{
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    const train::StartingRecipe starting(*recipeOf("init_param: " + path("pipe") + "\n"));
    QCOMPARE(recipe::asString(*recipe::find(*starting.recipe(), "init_param")), path("pipe"));
}

EARWRIGHT_TEST(TstKeptFiles)
#include "tst_kept_files.moc"
