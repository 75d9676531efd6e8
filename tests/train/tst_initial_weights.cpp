#include "core/train/weights/initial_weights.h"

#include "core/train/weights/average.h"
#include "core/train/weights/capsule.h"
#include "core/train/weights/load_weights.h"
#include "tests/registry.h"
#include "tests/train/imported.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;
namespace fs = std::filesystem;

namespace {

/// What make.py wrote into kCheckpoint, under the names of imported.yaml.
void verifyImported(const Tensors& tensors, bool withStatistics)
{
    QVERIFY(torch::equal(tensors.at("enc.w.weight"), counted({ 6, 8 })));
    QVERIFY(torch::equal(tensors.at("enc.w.bias"), counted({ 6 }) + 1));
    QVERIFY(torch::equal(tensors.at("ctc_lin.w.weight"), counted({ 8, 6 }) + 2));
    QVERIFY(torch::equal(tensors.at("ctc_lin.w.bias"), counted({ 8 }) + 3));
    QCOMPARE(tensors.contains("normalize.glob_mean"), withStatistics);
    if (!withStatistics)
        return;
    QVERIFY(torch::equal(tensors.at("normalize.glob_mean"), counted({ 8 })));
    QVERIFY(torch::equal(tensors.at("normalize.glob_std"), counted({ 8 }) + 1));
    QCOMPARE(tensors.at("normalize.count").item<int64_t>(), int64_t(70));
}

} // namespace

class TstInitialWeights : public QObject, private ImportedRuns {
    Q_OBJECT

private Q_SLOTS:
    void speechbrainFolder_isReadByTheRecoverables();
    void speechbrainFile_isReadByTheModuleList_data();
    void speechbrainFile_isReadByTheModuleList();
    void folderOfTheHub_isReadByWhatIsInIt();
    void filesThatMayBeTheModel_areNotGuessed();
    void foldersAbove_areLookedInto();
    void foreignNames_stayAsTheyAre();
    void training_startsFromIt();
    void withoutTraining_itIsACheckpoint_data();
    void withoutTraining_itIsACheckpoint();
    void trainingOfEarwright_isReadAsARunOrACheckpoint();
    void runThatIsTestedAsAMean_startsAsThatMean();
    void capsule_givesItsWeightsAndLabels();
    void severalFiles_areReadTogether_data();
    void severalFiles_areReadTogether();
    void missingStatistics_areTold();

private:
    /// kCheckpoint's files under other names.
    fs::path folderOf(const std::string& name, const std::vector<std::string>& models,
        bool withStatistics = true) const
    {
        const fs::path folder = at(name);
        fs::create_directories(folder);
        for (const std::string& model : models)
            fs::copy_file(kCheckpoint / "model.ckpt", folder / model);
        if (withStatistics)
            fs::copy_file(kCheckpoint / "normalizer.ckpt", folder / "normalizer.ckpt");
        std::ofstream(folder / "hyperparams.yaml") << "sample_rate: 8000\n";
        return folder;
    }
};

void TstInitialWeights::speechbrainFolder_isReadByTheRecoverables()
{
    const auto read = train::readInitialWeights(kCheckpoint, *recipe());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->size(), size_t(7)); // nothing of counter.ckpt, a text
    verifyImported(*read, true);
}

void TstInitialWeights::speechbrainFile_isReadByTheModuleList_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : { "model.ckpt", "asr.ckpt" })
        QTest::newRow(name) << name;
}

void TstInitialWeights::speechbrainFile_isReadByTheModuleList()
{
    QFETCH(QString, name);
    const fs::path file = at(name.toStdString());
    fs::copy_file(kCheckpoint / "model.ckpt", file);
    const auto read = train::readInitialWeights(file, *recipe());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    verifyImported(*read, false);
}

/// Whatever the recipe calls the model; beside it lie files that are not it.
void TstInitialWeights::folderOfTheHub_isReadByWhatIsInIt()
{
    const fs::path folder = folderOf("hub", { "asr.ckpt" });
    for (const char* other : { "lm.ckpt", "tokenizer.ckpt" })
        std::ofstream(folder / other) << "no weights";
    for (const fs::path& path : { folder, folderOf("alone", { "crdnn.ckpt" }) }) {
        const auto read = train::readInitialWeights(path, *recipe());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        verifyImported(*read, true);
    }
}

void TstInitialWeights::filesThatMayBeTheModel_areNotGuessed()
{
    const fs::path folder = folderOf("two", { "a.ckpt", "b.ckpt" }, false);
    const auto read = train::readInitialWeights(folder, *recipe());
    QVERIFY(!read);
    const std::string& said = read.error().message;
    QVERIFY2(said.find("model.ckpt, normalizer.ckpt") != std::string::npos, said.c_str());
}

/// SpeechBrain's `save`, FunASR's folder of a model.
void TstInitialWeights::foldersAbove_areLookedInto()
{
    fs::create_directories(at("save") / "CKPT+2026-11-25+21-39-27+00");
    const auto read = train::readInitialWeights(at("save"), *recipe());
    QVERIFY(!read);
    QVERIFY2(
        read.error().message.find("name one, CKPT+2026-11-25+21-39-27+00") != std::string::npos,
        read.error().message.c_str());
    fs::create_directories(at("funasr"));
    fs::copy_file(EARWRIGHT_CASES_DIR "/model/torch/sound/funasr.pt", at("funasr") / "model.pt");
    QCOMPARE(train::initialSources(at("funasr").string()),
        std::vector<train::WeightSource>({ { at("funasr") / "model.pt" } }));
}

void TstInitialWeights::foreignNames_stayAsTheyAre()
{
    const auto read
        = train::readInitialWeights(EARWRIGHT_CASES_DIR "/model/torch/sound/funasr.pt", *recipe());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(read->contains("0.weight"));
}

void TstInitialWeights::training_startsFromIt()
{
    const RankRun imported = run("imported", kCheckpoint.string());
    QCOMPARE(imported.train(), QString());
    verifyImported(imported.model(), true);
    QCOMPARE(toldBy(imported), "info: weights start from " + kCheckpoint.string());
    QVERIFY(!fs::exists(imported.folder / "init_param.txt"));
}

void TstInitialWeights::withoutTraining_itIsACheckpoint_data()
{
    QTest::addColumn<QString>("test");
    QTest::newRow("tested") << QString::fromStdString((at("data") / "train.csv").string());
    QTest::newRow("alone") << "null";
}

/// For earwright transcribe, export and average.
void TstInitialWeights::withoutTraining_itIsACheckpoint()
{
    QFETCH(QString, test);
    const RankRun kept = run(std::string("kept ") + QTest::currentDataTag(), kCheckpoint.string(),
        { "++test_csv=" + test.toStdString() }, "number_of_epochs=0");
    for (int start = 0; start < 2; ++start) {
        QCOMPARE(kept.train(), QString());
        verifyImported(kept.model(), true);
    }
    const run::Snapshot told = kept.snapshot();
    QCOMPARE(told.step, int64_t(0));
    QCOMPARE(told.checkpoints.back().path, std::string("checkpoints/step-0"));
    QCOMPARE(told.evaluations.empty(), test == "null");
    for (const run::Evaluated& tested : told.evaluations)
        QCOMPARE(tested.checkpoints, std::vector<std::string> { "step-0" });
}

void TstInitialWeights::trainingOfEarwright_isReadAsARunOrACheckpoint()
{
    const RankRun first = run("first", kCheckpoint.string());
    QCOMPARE(first.train(), QString());
    const auto saved = train::lastCheckpoint(run::RunFolder { first.folder }.checkpoints());
    QVERIFY(saved);
    for (const fs::path& path : { *saved, first.folder }) {
        const auto sources = train::initialSources(path.string());
        QCOMPARE(sources, std::vector<train::WeightSource>({ { *saved } }));
        const auto read = train::readInitialWeights(sources.front(), *recipe());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        verifyImported(*read, true);
    }
}

/// As the test, earwright transcribe and earwright export take it.
void TstInitialWeights::runThatIsTestedAsAMean_startsAsThatMean()
{
    const RankRun first = run("averaged", kCheckpoint.string(),
        { "--avg_checkpoints=2", "--opt_class.lr=0.1" }, "number_of_epochs=3");
    std::string errors;
    const plan::Plan plan = first.plan(errors);
    QCOMPARE(errors, std::string());
    QVERIFY(run::createRunFolder(first.folder, plan));
    QCOMPARE(first.train(), QString());
    const auto best = train::bestCheckpoints(run::RunFolder { first.folder }.checkpoints(), 2);
    QCOMPARE(best.size(), size_t(2));
    const auto mean = train::averageCheckpoints(best);
    QVERIFY(bool(mean));
    QVERIFY(!torch::equal(
        mean->model.at("enc.w.weight"), train::loadCheckpoint(best[0])->model.at("enc.w.weight")));
    const RankRun started = run("from mean", first.folder.string());
    QCOMPARE(started.train(), QString());
    for (const char* name : { "enc.w.weight", "ctc_lin.w.bias", "normalize.glob_mean" })
        QVERIFY2(torch::equal(started.model().at(name), mean->model.at(name)), name);
    QCOMPARE(toldBy(started),
        "info: weights start from the mean of " + best[0].string() + ", "
            + best[1].filename().string());
}

void TstInitialWeights::capsule_givesItsWeightsAndLabels()
{
    const RankRun first = run("exported", kCheckpoint.string());
    std::string errors;
    const auto folder = run::createRunFolder(first.folder, first.plan(errors));
    QVERIFY(bool(folder));
    QCOMPARE(first.train(), QString());
    // Labels in another order than these texts would give.
    const fs::path labels = first.folder / "label_encoder.txt";
    std::string text = textOf(labels);
    const size_t zero = text.find("'A'");
    const size_t one = text.find("'B'");
    QVERIFY(zero != std::string::npos && one != std::string::npos);
    text[zero + 1] = 'B';
    text[one + 1] = 'A';
    QVERIFY(writeFileAtomically(labels, text));
    const fs::path capsule = at("model.zip");
    const fs::path weights = at("model.safetensors"); // keeps the labels among its metadata
    const fs::path saved = *train::lastCheckpoint(folder->checkpoints());
    QVERIFY(train::writeCapsule(*folder, saved, capsule));
    QVERIFY(train::writeWeights(saved, weights, train::labelsOf(*folder)));
    QCOMPARE(train::labelsOf(weights), text);
    fs::rename(first.folder, at("exported elsewhere"));
    for (const fs::path& file : { capsule, weights }) {
        const RankRun started = run(file.filename().string() + " started", file.string());
        QCOMPARE(started.train(), QString());
        verifyImported(started.model(), true);
        QCOMPARE(toldBy(started), "info: weights start from " + file.string());
        QCOMPARE(textOf(started.folder / "label_encoder.txt"), text);
    }
}

void TstInitialWeights::severalFiles_areReadTogether_data()
{
    QTest::addColumn<QString>("given");
    const QString folder = QString::fromStdString(folderOf("files", { "asr.ckpt" }).string());
    const QString model = folder + "/asr.ckpt";
    const QString statistics = folder + "/normalizer.ckpt";
    QTest::newRow("commas") << model + ", " + statistics;
    QTest::newRow("sequence") << "[" + model + ", " + statistics + "]";
}

void TstInitialWeights::severalFiles_areReadTogether()
{
    QFETCH(QString, given);
    const RankRun started
        = run(std::string("several ") + QTest::currentDataTag(), given.toStdString());
    QCOMPARE(started.train(), QString());
    verifyImported(started.model(), true);
    const std::string folder = at("files").string();
    QCOMPARE(toldBy(started),
        "info: weights start from " + folder + "/asr.ckpt and " + folder + "/normalizer.ckpt");
}

void TstInitialWeights::missingStatistics_areTold()
{
    const fs::path folder = folderOf("no statistics", { "asr.ckpt" }, false);
    for (const std::string never : { "0", "null" }) {
        const RankRun learning = run(
            "learning " + never, folder.string(), { "--normalize.update_until_epoch=" + never });
        QCOMPARE(learning.train(), QString());
        QCOMPARE(toldBy(learning),
            "warning: weights start from " + folder.string()
                + "; it has no statistics of the input normalisation (SpeechBrain's "
                  "normalizer.ckpt), which are learnt anew");
    }
    const RankRun needsNone
        = run("needs none", folder.string(), { "--normalize.norm_type=sentence" });
    QCOMPARE(needsNone.train(), QString());
    QCOMPARE(toldBy(needsNone), "info: weights start from " + folder.string());
}

EARWRIGHT_TEST(TstInitialWeights)
#include "tst_initial_weights.moc"
