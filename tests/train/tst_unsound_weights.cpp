#include "core/model/tensor_file.h"
#include "tests/registry.h"
#include "tests/train/imported.h"

#include <QTest>
#include <sys/stat.h>

using namespace earwright;
using namespace earwright::tests;
namespace fs = std::filesystem;

/// Initial weights that cannot be read or have NaN.
class TstUnsoundWeights : public QObject, private ImportedRuns {
    Q_OBJECT

private Q_SLOTS:
    void nanThatIsNotTaken_isNoError_data();
    void nanThatIsNotTaken_isNoError();
    void nan_isToldOfItsFile();
    void whatIsNoFile_isRefusedInWords_data();
    void whatIsNoFile_isRefusedInWords();
    void whatCannotBeRead_endsTheRunInWords_data();
    void whatCannotBeRead_endsTheRunInWords();
    void model_isToldBeforeTheAudio_data();
    void model_isToldBeforeTheAudio();

private:
    /// kCheckpoint's weights of a training whose loss was not finite: one tensor is not.
    fs::path withNan(const std::string& name, double value = std::nan("")) const
    {
        Tensors other = *train::readInitialWeights(kCheckpoint, *recipe());
        const torch::Tensor sound = other.contains(name) ? other[name] : counted({ 6 });
        other[name] = torch::full_like(sound, value);
        const fs::path file = at(name + std::to_string(value) + ".safetensors");
        return model::writeTensorFile(file, { other, {} }) ? file : fs::path();
    }
};

/// Of another model, of a file whose tensor a later one replaces, and of statistics that no
/// sentence is normalised by.
void TstUnsoundWeights::nanThatIsNotTaken_isNoError_data()
{
    QTest::addColumn<QString>("given");
    const QString sound = QString::fromStdString(kCheckpoint.string());
    const QString spare = QString::fromStdString(withNan("spare.weight").string());
    QTest::newRow("spare") << spare;
    QTest::newRow("replaced") << QString::fromStdString(withNan("enc.w.bias").string()) + ","
            + sound;
    QTest::newRow("statistics") << QString::fromStdString(withNan("normalize.glob_mean").string());
}

void TstUnsoundWeights::nanThatIsNotTaken_isNoError()
{
    QFETCH(QString, given);
    const RankRun started = run(std::string("nan ") + QTest::currentDataTag(), given.toStdString(),
        { "--normalize.norm_type=sentence" });
    QCOMPARE(started.train(), QString());
}

void TstUnsoundWeights::nan_isToldOfItsFile()
{
    const fs::path failed = withNan("normalize.glob_mean");
    const RankRun refused = run("nan in the last", kCheckpoint.string() + "," + failed.string());
    const QString error = refused.train();
    QVERIFY2(error.startsWith("init_param: " + QString::fromStdString(failed.string())
                 + ": 'normalize.glob_mean' has NaN"),
        qPrintable(error));
}

void TstUnsoundWeights::whatIsNoFile_isRefusedInWords_data()
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
void TstUnsoundWeights::whatIsNoFile_isRefusedInWords()
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

void TstUnsoundWeights::whatCannotBeRead_endsTheRunInWords_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    const QString broken = EARWRIGHT_CASES_DIR "/model/torch/broken/";
    QTest::newRow("malicious") << broken + "os_system.pt"
                               << "names 'posix.system'";
    QTest::newRow("other model") << EARWRIGHT_CASES_DIR "/model/torch/sound/funasr.pt"
                                 << "has none of the recipe's weights";
    QTest::newRow("failed training")
        << QString::fromStdString(withNan("enc.w.bias").string()) << "'enc.w.bias' has NaN";
    QTest::newRow("overflow") << QString::fromStdString(withNan("enc.w.bias", -INFINITY).string())
                              << "'enc.w.bias' has NaN or Inf";
    QTest::newRow("folder of something else")
        << EARWRIGHT_CASES_DIR "/check"
        << "neither model.safetensors nor checkpoints nor, with weights of the recipe's `modules`, "
           "model.ckpt, normalizer.ckpt"; // not counter.ckpt, which never holds any
}

void TstUnsoundWeights::whatCannotBeRead_endsTheRunInWords()
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

void TstUnsoundWeights::model_isToldBeforeTheAudio_data()
{
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("frozen");
    QTest::addColumn<QString>("words");
    const QString sound = QString::fromStdString(kCheckpoint.string());
    QTest::newRow("weights") << QString(EARWRIGHT_CASES_DIR "/model/torch/broken/os_system.pt")
                             << "enc.w"
                             << "names 'posix.system'";
    QTest::newRow("frozen") << sound << "enc.nothing"
                            << "no parameter is called 'enc.nothing'";
    QTest::newRow("none") << sound << "enc.w"
                          << "0.wav";
}

/// All audio is opened before the first step, which takes long; what is wrong besides is told
/// first.
void TstUnsoundWeights::model_isToldBeforeTheAudio()
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

EARWRIGHT_TEST(TstUnsoundWeights)
#include "tst_unsound_weights.moc"
