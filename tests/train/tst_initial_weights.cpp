#include "core/train/weights/initial_weights.h"

#include "core/model/tensor_file.h"
#include "core/train/weights/average.h"
#include "core/train/weights/capsule.h"
#include "core/train/weights/load_weights.h"
#include "tests/train/rank_run.h"

#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace kymo;
using tests::RankRun;

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

const fs::path kCheckpoint = KYMO_CASES_DIR "/train/CKPT+speechbrain+00";

/// 0, 1, 2, … in a shape.
torch::Tensor counted(std::vector<int64_t> sizes)
{
    return torch::arange(c10::multiply_integers(sizes), torch::kFloat).reshape(sizes);
}

std::string textOf(const fs::path& file)
{
    const auto text = readFile(file);
    return text ? *text : text.error().message;
}

/// What a run said of its weights.
std::string toldBy(const RankRun& run)
{
    std::string told;
    for (const auto& line : run.snapshot().log)
        told += line.text.starts_with("weights start") ? line.level + ": " + line.text : "";
    return told;
}

QStringList namesOf(const Tensors& tensors)
{
    QStringList names;
    for (const auto& [name, tensor] : tensors)
        names << QString::fromStdString(name);
    return names;
}

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

class TstInitialWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
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
    void trainingOfKymo_isReadAsARunOrACheckpoint();
    void runThatIsTestedAsAMean_startsAsThatMean();
    void capsule_givesItsWeightsAndLabels();
    void severalFiles_areReadTogether_data();
    void severalFiles_areReadTogether();
    void whatIsDrawn_cannotBeFrozen();
    void missingStatistics_areTold();
    void nanThatIsNotTaken_isNoError_data();
    void nanThatIsNotTaken_isNoError();
    void nan_isToldOfItsFile();
    void namesOfOneSide_areToldWithTheNearest();
    void namesOfWholeLayers_areCounted();
    void likestNames_findEachOther();
    void sameLayerUnderAnotherKey_isNamed();
    void partBeforeAllNames_isTold_data();
    void partBeforeAllNames_isTold();
    void thousandsOfLayers_areCounted();
    void thousandsOfNames_areComparedInPart();
    void otherShapes_areAllToldWithBoth();
    void otherShapes_areDrawnWhereAskedFor();
    void everyName_isInTheRun();
    void whatIsNoFile_isRefusedInWords_data();
    void whatIsNoFile_isRefusedInWords();
    void whatCannotBeRead_endsTheRunInWords_data();
    void whatCannotBeRead_endsTheRunInWords();
    void model_isToldBeforeTheAudio_data();
    void model_isToldBeforeTheAudio();

private:
    fs::path at(const std::string& name) const
    {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    /// Of imported.yaml: a step, or so many epochs, which change nothing.
    RankRun run(const std::string& name, const std::string& initial,
        std::vector<std::string> more = {},
        const std::string& length = "optimizer_step_limit=1") const
    {
        more.insert(more.begin(), { "--" + length, "--init_param=" + initial });
        return { .folder = at(name),
            .data = at("data"),
            .recipe = KYMO_CASES_DIR "/train/imported.yaml",
            .overrides = std::move(more) };
    }
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
    /// kCheckpoint's weights, two of another shape.
    fs::path misshapen() const
    {
        Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
        other["enc.w.bias"] = counted({ 3, 2 });
        other["ctc_lin.w.weight"] = counted({ 12, 6 });
        const fs::path file = at("misshapen.safetensors");
        return model::writeTensorFile(file, { other, {} }) ? file : fs::path();
    }
    /// kCheckpoint's weights of a training whose loss was not finite: one tensor is not.
    fs::path withNan(const std::string& name, double value = std::nan("")) const
    {
        Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
        const torch::Tensor sound = other.contains(name) ? other[name] : counted({ 6 });
        other[name] = torch::full_like(sound, value);
        const fs::path file = at(name + std::to_string(value) + ".safetensors");
        return model::writeTensorFile(file, { other, {} }) ? file : fs::path();
    }
    recipe::NodePtr recipe() const
    {
        std::string errors;
        return run("none", kCheckpoint.string()).plan(errors).recipe;
    }

    QTemporaryDir m_folder;
};

void TstInitialWeights::initTestCase()
{
    tests::writeNoises(at("data"), 12);
    QVERIFY(recipe());
}

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
    fs::copy_file(KYMO_CASES_DIR "/model/torch/sound/funasr.pt", at("funasr") / "model.pt");
    QCOMPARE(train::initialSources(at("funasr").string()),
        std::vector<train::WeightSource>({ { at("funasr") / "model.pt" } }));
}

void TstInitialWeights::foreignNames_stayAsTheyAre()
{
    const auto read
        = train::readInitialWeights(KYMO_CASES_DIR "/model/torch/sound/funasr.pt", *recipe());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(namesOf(*read).contains("0.weight"));
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

/// For kymo transcribe, export and average.
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

void TstInitialWeights::trainingOfKymo_isReadAsARunOrACheckpoint()
{
    const RankRun first = run("first", kCheckpoint.string());
    QCOMPARE(first.train(), QString());
    const auto saved = train::lastCheckpoint(run::RunFolder { first.folder }.checkpoints());
    QVERIFY(saved);
    for (const std::filesystem::path& path : { *saved, first.folder }) {
        const auto sources = train::initialSources(path.string());
        QCOMPARE(sources, std::vector<train::WeightSource>({ { *saved } }));
        const auto read = train::readInitialWeights(sources.front(), *recipe());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        verifyImported(*read, true);
    }
}

/// As the test, kymo transcribe and kymo export take it.
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

/// As after a misspelt name: the training could not mend it.
void TstInitialWeights::whatIsDrawn_cannotBeFrozen()
{
    Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
    other["enc.w.wieght"] = other.at("enc.w.weight");
    other.erase("enc.w.weight");
    const fs::path file = at("misspelt.safetensors");
    QVERIFY(model::writeTensorFile(file, { other, {} }));
    QCOMPARE(run("not frozen", file.string(), { "--freeze_param=ctc_lin" }).train(), QString());
    const QString error = run("frozen", file.string(), { "--freeze_param=enc" }).train();
    QVERIFY2(error.contains("lacks weights that freeze_param would keep as they are drawn"),
        qPrintable(error));
    QVERIFY2(error.contains("'enc.w.weight' (it has 'enc.w.wieght')"), qPrintable(error));
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

/// Of another model, of a file whose tensor a later one replaces, and of statistics that no
/// sentence is normalised by.
void TstInitialWeights::nanThatIsNotTaken_isNoError_data()
{
    QTest::addColumn<QString>("given");
    const QString sound = QString::fromStdString(kCheckpoint.string());
    const QString spare = QString::fromStdString(withNan("spare.weight").string());
    QTest::newRow("spare") << spare;
    QTest::newRow("replaced") << QString::fromStdString(withNan("enc.w.bias").string()) + ","
            + sound;
    QTest::newRow("statistics") << QString::fromStdString(withNan("normalize.glob_mean").string());
}

void TstInitialWeights::nanThatIsNotTaken_isNoError()
{
    QFETCH(QString, given);
    const RankRun started = run(std::string("nan ") + QTest::currentDataTag(), given.toStdString(),
        { "--normalize.norm_type=sentence" });
    QCOMPARE(started.train(), QString());
}

void TstInitialWeights::nan_isToldOfItsFile()
{
    const fs::path failed = withNan("normalize.glob_mean");
    const RankRun refused = run("nan in the last", kCheckpoint.string() + "," + failed.string());
    const QString error = refused.train();
    QVERIFY2(error.startsWith("init_param: " + QString::fromStdString(failed.string())
                 + ": 'normalize.glob_mean' has NaN"),
        qPrintable(error));
}

void TstInitialWeights::namesOfOneSide_areToldWithTheNearest()
{
    const auto read = train::readInitialWeights(kCheckpoint, *recipe());
    Tensors renamed = *read;
    auto weight = renamed.extract("enc.w.weight");
    weight.key() = "enc.v.weight";
    renamed.insert(std::move(weight));
    QVERIFY(model::writeTensorFile(at("renamed.safetensors"), { renamed, {} }));
    const RankRun started = run("renamed", at("renamed.safetensors").string());
    QCOMPARE(started.train(), QString());
    QCOMPARE(toldBy(started),
        "warning: weights start from " + at("renamed.safetensors").string()
            + "; it has none of these, which are drawn: 'enc.w.weight' (it has 'enc.v.weight'); "
              "these are not used: 'enc.v.weight' (the recipe has 'enc.w.weight'); every name is "
              "in "
              "the run's init_param.txt");
    QCOMPARE(textOf(started.folder / "init_param.txt"),
        std::string("missing\tenc.w.weight\tenc.v.weight\n"
                    "not used\tenc.v.weight\tenc.w.weight\n"));
}

void TstInitialWeights::namesOfWholeLayers_areCounted()
{
    QCOMPARE(train::describe({}), std::string());
    train::Unmatched unmatched;
    for (int i = 0; i < 9; ++i)
        unmatched.missing.push_back("dec." + std::to_string(i));
    unmatched.missing.push_back("enc.other.bias");
    unmatched.unexpected = { "enc.w" };
    for (int i = 0; i < 9; ++i)
        unmatched.unexpected.push_back("enc.layer" + std::to_string(i));
    QCOMPARE(train::describe(unmatched),
        std::string("; it has none of these, which are drawn: 'enc.other.bias', dec (9); these "
                    "are not used: 'enc.w', 'enc.layer0', 'enc.layer1', 'enc.layer2', "
                    "'enc.layer3', 'enc.layer4', enc (4)"));
}

/// One that is nearer to another's stays without it.
void TstInitialWeights::likestNames_findEachOther()
{
    const train::Unmatched renamed { .missing
        = { "enc.blocks.1.conv.weight", "enc.blocks.3.conv.weight", "enc.blocks.4.bias" },
        .unexpected = { "enc.blocks.1.conv.weigth", "enc.layers.3.conv.weight" } };
    QCOMPARE(train::listAll(renamed),
        std::string("missing\tenc.blocks.1.conv.weight\tenc.blocks.1.conv.weigth\n"
                    "missing\tenc.blocks.3.conv.weight\tenc.layers.3.conv.weight\n"
                    "missing\tenc.blocks.4.bias\n"
                    "not used\tenc.blocks.1.conv.weigth\tenc.blocks.1.conv.weight\n"
                    "not used\tenc.layers.3.conv.weight\tenc.blocks.3.conv.weight\n"));
    const train::Unmatched fewer { .missing = { "enc.a.weight", "enc.b.weight" },
        .unexpected = { "enc.B.weight" } };
    QCOMPARE(train::listAll(fewer),
        std::string("missing\tenc.a.weight\nmissing\tenc.b.weight\tenc.B.weight\n"
                    "not used\tenc.B.weight\tenc.b.weight\n"));
}

void TstInitialWeights::sameLayerUnderAnotherKey_isNamed()
{
    const train::Unmatched unmatched { .missing = { "enc.0.w", "enc.0.b", "out.w" },
        .unexpected = { "encoder.0.b", "encoder.0.w", "lm.rnn" } };
    QCOMPARE(train::describe(unmatched),
        std::string("; it has none of these, which are drawn: enc (2; it has such names below "
                    "'encoder'), out (1); these are not used: encoder (2; the recipe has such "
                    "names below 'enc'), lm (1)"));
    QCOMPARE(train::listAll(unmatched),
        std::string("missing\tenc.0.w\tencoder.0.w\nmissing\tenc.0.b\tencoder.0.b\n"
                    "missing\tout.w\nnot used\tencoder.0.b\tenc.0.b\n"
                    "not used\tencoder.0.w\tenc.0.w\nnot used\tlm.rnn\n"));
    const train::Unmatched alone { .missing = { "alpha" }, .unexpected = { "beta" } };
    QCOMPARE(train::describe(alone),
        std::string("; it has none of these, which are drawn: alpha (1); these are not used: beta "
                    "(1)"));
}

void TstInitialWeights::partBeforeAllNames_isTold_data()
{
    using Names = std::vector<std::string>;
    QTest::addColumn<Names>("missing");
    QTest::addColumn<Names>("unexpected");
    QTest::addColumn<std::string>("described");
    QTest::addColumn<std::string>("listed");
    QTest::newRow("in the file")
        << Names { "enc.w", "out.w" } << Names { "a.model.enc.w", "a.model.out.w", "loss.w" }
        << std::string("; it has none of these, which are drawn: enc (1), out (1), but it has all "
                       "of them below 'a.model': save them in a file without that part of their "
                       "names; these are not used: a (2), loss (1)")
        << std::string("missing\tenc.w\ta.model.enc.w\nmissing\tout.w\ta.model.out.w\n"
                       "not used\ta.model.enc.w\tenc.w\nnot used\ta.model.out.w\tout.w\n"
                       "not used\tloss.w\n");
    QTest::newRow("in the recipe")
        << Names { "model.enc.w", "model.enc.b", "out.w" } << Names { "enc.b", "enc.w" }
        << std::string("; it has none of these, which are drawn: model (2), out (1), but it has 2 "
                       "of them without 'model': save them in a file with that part of their "
                       "names; these are not used: enc (2)")
        << std::string("missing\tmodel.enc.w\tenc.w\nmissing\tmodel.enc.b\tenc.b\n"
                       "missing\tout.w\nnot used\tenc.b\tmodel.enc.b\n"
                       "not used\tenc.w\tmodel.enc.w\n");
    QTest::newRow("twice") << Names { "enc.w", "enc.b" } << Names { "enc.enc.b", "enc.enc.w" }
                           << std::string(
                                  "; it has none of these, which are drawn: 'enc.w' (it has "
                                  "'enc.enc.w'), 'enc.b' (it has 'enc.enc.b'), but it has all of "
                                  "them below 'enc': save them in a file without that part of "
                                  "their names; these are not used: 'enc.enc.b' (the recipe has "
                                  "'enc.b'), 'enc.enc.w' (the recipe has 'enc.w')")
                           << std::string("missing\tenc.w\tenc.enc.w\n"
                                          "missing\tenc.b\tenc.enc.b\n"
                                          "not used\tenc.enc.b\tenc.b\n"
                                          "not used\tenc.enc.w\tenc.w\n");
    QTest::newRow("of few names")
        << Names { "a.w", "b.w", "c.w", "d.w" } << Names { "x.a.w", "e.v", "f.v", "g.v" }
        << std::string("; it has none of these, which are drawn: a (1), b (1), c (1), d (1); these "
                       "are not used: e (1), f (1), g (1), x (1)")
        << std::string("missing\ta.w\nmissing\tb.w\nmissing\tc.w\nmissing\td.w\n"
                       "not used\tx.a.w\nnot used\te.v\nnot used\tf.v\nnot used\tg.v\n");
}

void TstInitialWeights::partBeforeAllNames_isTold()
{
    QFETCH(std::vector<std::string>, missing);
    QFETCH(std::vector<std::string>, unexpected);
    QFETCH(std::string, described);
    QFETCH(std::string, listed);
    const train::Unmatched unmatched { .missing = missing, .unexpected = unexpected };
    QCOMPARE(train::describe(unmatched), described);
    QCOMPARE(train::listAll(unmatched), listed);
}

void TstInitialWeights::thousandsOfLayers_areCounted()
{
    train::Unmatched unmatched;
    for (int i = 0; i < 16'000; ++i) {
        unmatched.missing.push_back("a" + std::to_string(i) + ".w");
        unmatched.unexpected.push_back("b" + std::to_string(i) + ".w");
    }
    const QString described = QString::fromStdString(train::describe(unmatched));
    QCOMPARE(described.count("it has such names below"), 40);
    QCOMPARE(described.count(" and 15960 more layers"), 2);
    const QString listed = QString::fromStdString(train::listAll(unmatched));
    QCOMPARE(listed.count('\n'), 32'000);
    QCOMPARE(listed.count('\t'), 32'000 + 80);
}

/// Each with each would take minutes.
void TstInitialWeights::thousandsOfNames_areComparedInPart()
{
    train::Unmatched unmatched;
    for (int i = 10'000; i < 26'000; ++i) {
        unmatched.missing.push_back("encoder.layers." + std::to_string(i) + ".self_attn.weight");
        unmatched.unexpected.push_back("encoder.layers." + std::to_string(i) + ".attn.weight");
    }
    const QString listed = QString::fromStdString(train::listAll(unmatched));
    QVERIFY(listed.startsWith("missing\tencoder.layers.10000.self_attn.weight\t"
                              "encoder.layers.10000.attn.weight\n"));
    QVERIFY(listed.endsWith("\nnot used\tencoder.layers.25999.attn.weight\n"));
}

void TstInitialWeights::otherShapes_areAllToldWithBoth()
{
    const RankRun refused = run("shapes", misshapen().string());
    const QString error = refused.train();
    QCOMPARE(error,
        "init_param: " + m_folder.filePath("misshapen.safetensors")
            + " does not fit the recipe: 'enc.w.bias' has the shape [3, 2] there and [6] here, "
              "'ctc_lin.w.weight' has the shape [12, 6] there and [8, 6] here; "
              "ignore_init_mismatch: True draws them anew; every name is in the run's "
              "init_param.txt");
    QVERIFY(!train::lastCheckpoint(run::RunFolder { refused.folder }.checkpoints()));
}

void TstInitialWeights::otherShapes_areDrawnWhereAskedFor()
{
    const RankRun started = run("drawn", misshapen().string(), { "--ignore_init_mismatch=True" });
    QCOMPARE(started.train(), QString());
    const Tensors model = started.model();
    QVERIFY(torch::equal(model.at("enc.w.weight"), counted({ 6, 8 })));
    QVERIFY(torch::equal(model.at("ctc_lin.w.bias"), counted({ 8 }) + 3));
    QCOMPARE(model.at("ctc_lin.w.weight").sizes(), torch::IntArrayRef({ 8, 6 }));
    QVERIFY(model.at("ctc_lin.w.weight").abs().max().item<double>() < 1);
    QVERIFY(model.at("enc.w.bias").abs().max().item<double>() < 1);
    QCOMPARE(toldBy(started),
        "warning: weights start from " + at("misshapen.safetensors").string()
            + "; these have another shape, and are drawn: 'enc.w.bias' ([3, 2] there, [6] here), "
              "'ctc_lin.w.weight' ([12, 6] there, [8, 6] here); every name is in the run's "
              "init_param.txt");
    QCOMPARE(textOf(started.folder / "init_param.txt"),
        std::string("other shape\tenc.w.bias\t[3, 2] there\t[6] here\n"
                    "other shape\tctc_lin.w.weight\t[12, 6] there\t[8, 6] here\n"));
}

/// Of which the messages count the most.
void TstInitialWeights::everyName_isInTheRun()
{
    Tensors more = *train::readInitialWeights(kCheckpoint, *recipe());
    std::string expected;
    for (int i = 10; i < 60; ++i) {
        more["lm." + std::to_string(i)] = counted({ 1 });
        expected += "not used\tlm." + std::to_string(i) + "\n";
    }
    QVERIFY(model::writeTensorFile(at("more.safetensors"), { more, {} }));
    const RankRun started = run("more", at("more.safetensors").string());
    QCOMPARE(started.train(), QString());
    QCOMPARE(textOf(started.folder / "init_param.txt"), expected);
    QVERIFY(toldBy(started).find("lm (50)") != std::string::npos);

    train::Unmatched unmatched;
    for (int i = 0; i < 60; ++i)
        unmatched.misshapen.push_back({ std::to_string(i), { 1 }, { 2 } });
    QVERIFY(train::describeLacking(unmatched).ends_with(
        "'39' has the shape [1] there and [2] here and 20 more"));
}

void TstInitialWeights::whatIsNoFile_isRefusedInWords_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("words");
    for (const char* link : { "model.safetensors", "model.ckpt", "checkpoints" }) {
        const fs::path folder = at(std::string("linked ") + link);
        fs::create_directory(folder);
        fs::create_symlink(link, folder / link);
        QTest::newRow(link) << QString::fromStdString(folder.string())
                            << "is no checkpoint or run that fits";
    }
    QCOMPARE(mkfifo(at("pipe").c_str(), 0600), 0);
    QTest::newRow("pipe") << QString::fromStdString(at("pipe").string())
                          << "it is neither a file nor a folder";
}

/// A link to itself, a pipe that nobody writes to.
void TstInitialWeights::whatIsNoFile_isRefusedInWords()
{
    QFETCH(QString, given);
    QFETCH(QString, words);
    const recipe::NodePtr root = recipe();
    const auto modules = train::ModuleSet::build(*root, {});
    QVERIFY(modules);
    const auto read
        = train::readInitialWeights(train::initialSources(given.toStdString()), *root, *modules);
    QVERIFY(!read);
    QVERIFY2(
        QString::fromStdString(read.error().message).contains(words), read.error().message.c_str());
}

void TstInitialWeights::whatCannotBeRead_endsTheRunInWords_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    const QString broken = KYMO_CASES_DIR "/model/torch/broken/";
    QTest::newRow("malicious") << broken + "os_system.pt"
                               << "names 'posix.system'";
    QTest::newRow("other model") << KYMO_CASES_DIR "/model/torch/sound/funasr.pt"
                                 << "has none of the recipe's weights";
    QTest::newRow("failed training")
        << QString::fromStdString(withNan("enc.w.bias").string()) << "'enc.w.bias' has NaN";
    QTest::newRow("overflow") << QString::fromStdString(withNan("enc.w.bias", -INFINITY).string())
                              << "'enc.w.bias' has NaN or Inf";
    QTest::newRow("folder of something else")
        << KYMO_CASES_DIR "/check"
        << "neither model.safetensors nor checkpoints nor, with weights of the recipe's `modules`, "
           "model.ckpt, normalizer.ckpt"; // not counter.ckpt, which never holds any
}

void TstInitialWeights::whatCannotBeRead_endsTheRunInWords()
{
    QFETCH(QString, file);
    QFETCH(QString, words);
    const RankRun refused
        = run(std::string("refused-") + QTest::currentDataTag(), file.toStdString());
    const QString error = refused.train();
    QVERIFY2(error.contains(words), qPrintable(error));
    QVERIFY2(error.contains(file), qPrintable(error));
    QVERIFY(!train::lastCheckpoint(run::RunFolder { refused.folder }.checkpoints()));
}

void TstInitialWeights::model_isToldBeforeTheAudio_data()
{
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("frozen");
    QTest::addColumn<QString>("words");
    const QString sound = QString::fromStdString(kCheckpoint.string());
    QTest::newRow("weights") << QString(KYMO_CASES_DIR "/model/torch/broken/os_system.pt")
                             << "enc.w"
                             << "names 'posix.system'";
    QTest::newRow("frozen") << sound << "enc.nothing"
                            << "no parameter is called 'enc.nothing'";
    QTest::newRow("none") << sound << "enc.w"
                          << "0.wav";
}

/// All audio is opened before the first step, which takes long; what is wrong besides is told
/// first.
void TstInitialWeights::model_isToldBeforeTheAudio()
{
    QFETCH(QString, weights);
    QFETCH(QString, frozen);
    QFETCH(QString, words);
    tests::writeNoises(at("broken data"), 12);
    fs::resize_file(at("broken data") / "0.wav", 20);
    RankRun refused = run(std::string("early ") + QTest::currentDataTag(), weights.toStdString(),
        { "--freeze_param=" + frozen.toStdString() });
    refused.data = at("broken data");
    const QString error = refused.train();
    QVERIFY2(error.contains(words), qPrintable(error));
}

QTEST_GUILESS_MAIN(TstInitialWeights)
#include "tst_initial_weights.moc"
