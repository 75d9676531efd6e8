#include "core/train/initial_weights.h"

#include "core/model/tensor_file.h"
#include "core/train/load_weights.h"
#include "tests/train/rank_run.h"

#include <QTemporaryDir>
#include <QTest>

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
    void foreignNames_stayAsTheyAre();
    void training_startsFromIt();
    void trainingOfKymo_isReadAsARunOrACheckpoint();
    void namesOfOneSide_areToldWithTheNearest();
    void namesOfWholeLayers_areCounted();
    void sameLayerUnderAnotherKey_isNamed();
    void otherShape_isToldWithBoth();
    void whatCannotBeRead_endsTheRunInWords_data();
    void whatCannotBeRead_endsTheRunInWords();

private:
    fs::path at(const std::string& name) const
    {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    /// Of imported.yaml: one step, which changes nothing.
    RankRun run(const std::string& name, const fs::path& initial) const
    {
        return { .folder = at(name),
            .data = at("data"),
            .recipe = KYMO_CASES_DIR "/train/imported.yaml",
            .overrides = { "--optimizer_step_limit=1", "--init_param=" + initial.string() } };
    }
    recipe::NodePtr recipe() const
    {
        std::string errors;
        return run("none", kCheckpoint).plan(errors).recipe;
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

void TstInitialWeights::foreignNames_stayAsTheyAre()
{
    const auto read
        = train::readInitialWeights(KYMO_CASES_DIR "/model/torch/sound/funasr.pt", *recipe());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(namesOf(*read).contains("0.weight"));
}

void TstInitialWeights::training_startsFromIt()
{
    const RankRun imported = run("imported", kCheckpoint);
    QCOMPARE(imported.train(), QString());
    verifyImported(imported.model(), true);
    const auto log = imported.snapshot().log;
    QVERIFY(std::any_of(log.begin(), log.end(), [](const auto& line) {
        return line.text == "weights start from " + kCheckpoint.string();
    }));
}

void TstInitialWeights::trainingOfKymo_isReadAsARunOrACheckpoint()
{
    const RankRun first = run("first", kCheckpoint);
    QCOMPARE(first.train(), QString());
    const auto saved = train::lastCheckpoint(run::RunFolder { first.folder }.checkpoints());
    QVERIFY(saved);
    for (const std::filesystem::path& path : { *saved, first.folder }) {
        const auto read = train::readInitialWeights(train::initialWeightsPath(path), *recipe());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        verifyImported(*read, true);
    }
}

void TstInitialWeights::namesOfOneSide_areToldWithTheNearest()
{
    const auto read = train::readInitialWeights(kCheckpoint, *recipe());
    Tensors renamed = *read;
    auto weight = renamed.extract("enc.w.weight");
    weight.key() = "enc.v.weight";
    renamed.insert(std::move(weight));
    QVERIFY(model::writeTensorFile(at("renamed.safetensors"), { renamed, {} }));
    const RankRun started = run("renamed", at("renamed.safetensors"));
    QCOMPARE(started.train(), QString());
    std::string told;
    for (const auto& line : started.snapshot().log)
        told += line.text.starts_with("weights start") ? line.text : "";
    QCOMPARE(told,
        "weights start from " + at("renamed.safetensors").string()
            + "; it has none of these, which are drawn: 'enc.w.weight' (it has 'enc.v.weight'); "
              "these are not used: 'enc.v.weight' (the recipe has 'enc.w.weight')");
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

void TstInitialWeights::sameLayerUnderAnotherKey_isNamed()
{
    const train::Unmatched unmatched { .missing = { "enc.0.w", "enc.0.b", "out.w" },
        .unexpected = { "encoder.0.b", "encoder.0.w", "lm.rnn" } };
    QCOMPARE(train::describe(unmatched),
        std::string("; it has none of these, which are drawn: enc (2; it has such names below "
                    "'encoder'), out (1); these are not used: encoder (2; the recipe has such "
                    "names below 'enc'), lm (1)"));
}

void TstInitialWeights::otherShape_isToldWithBoth()
{
    const auto read = train::readInitialWeights(kCheckpoint, *recipe());
    Tensors other = *read;
    other["enc.w.bias"] = counted({ 3, 2 });
    QVERIFY(model::writeTensorFile(at("shape.safetensors"), { other, {} }));
    const QString error = run("shape", at("shape.safetensors")).train();
    QVERIFY2(
        error.contains("'enc.w.bias' has the shape [3, 2] there and [6] here"), qPrintable(error));
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
    QTest::newRow("folder of something else")
        << KYMO_CASES_DIR "/check"
        << "neither model.safetensors nor checkpoints nor, with weights of the recipe's `modules`, "
           "model.ckpt, "
           "normalizer.ckpt, counter.ckpt";
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

QTEST_GUILESS_MAIN(TstInitialWeights)
#include "tst_initial_weights.moc"
