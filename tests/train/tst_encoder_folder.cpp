#include <QTemporaryDir>
#include <QTest>

#include "core/model/tensor_file.h"
#include "core/train/weights/hub_export.h"
#include "core/train/weights/kept_files.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

const std::string kFolderOfEncoder = EARWRIGHT_CASES_DIR "/model/hub/ctc";
const std::string kEncoderPrefix = "wav2vec2.model.";

std::filesystem::path pathOfLast(const std::filesystem::path& run)
{
    return train::lastCheckpoint(run::RunFolder { run }.checkpoints()).value_or("no checkpoint");
}

} // namespace

/// A trained encoder and the folder of the Hub that it is from, or becomes.
class TstEncoderFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void trainedEncoder_isWrittenAsAFolder();
    void encoderAdaptedElsewhere_isNotWrittenAsAFolder();
    void goneFolder_isReplacedByInitialWeights_data();
    void goneFolder_isReplacedByInitialWeights();

private:
    std::filesystem::path path(const QString& name) const
    {
        return m_folder.filePath(name).toStdString();
    }
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides) const;

    QTemporaryDir m_folder;
    run::RunFolder m_run; ///< of four steps, with its plan, as the engine makes it
    train::Checkpoint m_trained;
};

RankRun TstEncoderFolder::runOf(
    const QString& name, int steps, const std::vector<std::string>& overrides) const
{
    RankRun run { .folder = path(name),
        .data = path("data"),
        .recipe = EARWRIGHT_CASES_DIR "/train/pretrained.yaml",
        .overrides = { "--optimizer_step_limit=" + std::to_string(steps) } };
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

void TstEncoderFolder::initTestCase()
{
    tests::writeNoises(path("data"), 19);
    const RankRun run
        = runOf("run", 4, { "--wav2vec2_hub=" + kFolderOfEncoder, "--warmup_steps=0" });
    std::string errors;
    const auto folder = run::createRunFolder(run.folder, run.plan(errors));
    QCOMPARE(errors, std::string());
    QVERIFY(bool(folder));
    QCOMPARE(run.train(), QString());
    m_run = *folder;
    auto saved = train::loadCheckpoint(pathOfLast(m_run.path));
    QVERIFY(bool(saved));
    m_trained = std::move(*saved);
}

void TstEncoderFolder::trainedEncoder_isWrittenAsAFolder()
{
    const std::filesystem::path out = path("encoder");
    const Status written = train::writeHubFolder(m_run, pathOfLast(m_run.path), out);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const auto stored = model::readTensorFile(out / "model.safetensors");
    QVERIFY(bool(stored));
    const auto before = model::readTensorFile(kFolderOfEncoder + "/model.safetensors");
    QVERIFY(bool(before));
    const std::string weight = "encoder.layers.0.attention.q_proj.weight";
    QVERIFY(!torch::equal(stored->tensors.at(weight), before->tensors.at("wav2vec2." + weight)));
    size_t compared = 0;
    for (const auto& [name, tensor] : m_trained.model) {
        if (!name.starts_with(kEncoderPrefix))
            continue;
        const auto found = stored->tensors.find(name.substr(kEncoderPrefix.size()));
        QVERIFY2(found != stored->tensors.end(), name.c_str());
        QVERIFY2(torch::equal(found->second, tensor), name.c_str());
        ++compared;
    }
    QCOMPARE(compared, stored->tensors.size());
}

/// It is the same object, with adapters in the place of its layers.
void TstEncoderFolder::encoderAdaptedElsewhere_isNotWrittenAsAFolder()
{
    train::Checkpoint checkpoint = m_trained;
    const auto weight = std::find_if(
        checkpoint.model.begin(), checkpoint.model.end(), [](const auto& item) {
            return item.first.starts_with(kEncoderPrefix) && item.first.ends_with("q_proj.weight");
        });
    QVERIFY(weight != checkpoint.model.end());
    auto node = checkpoint.model.extract(weight);
    node.key().insert(node.key().size() - 6, "pretrained_module.");
    checkpoint.model.insert(std::move(node));
    const std::filesystem::path changed = path("adapted checkpoint");
    QVERIFY(bool(train::writeCheckpoint(changed, checkpoint)));
    const std::filesystem::path out = path("adapted encoder");
    const Status written = train::writeHubFolder(m_run, changed, out);
    QVERIFY(!written);
    QCOMPARE(written.error().message,
        std::string("'wav2vec2' is trained by adapters, which is not written as a folder of the "
                    "Hub"));
    QVERIFY(!std::filesystem::exists(out));
}

/// A run that was stopped before its first checkpoint.
void TstEncoderFolder::goneFolder_isReplacedByInitialWeights_data()
{
    QTest::addColumn<QString>("weights"); // "" = none
    QTest::addColumn<bool>("isEnough");
    QTest::newRow("none") << "" << false;
    QTest::newRow("all") << "all" << true;
    QTest::newRow("one is lacking") << "some" << false;
    QTest::newRow("others are lacking") << "encoder" << true;
}

void TstEncoderFolder::goneFolder_isReplacedByInitialWeights()
{
    QFETCH(QString, weights);
    QFETCH(bool, isEnough);
    const std::filesystem::path hub = path("hub");
    std::filesystem::copy(kFolderOfEncoder, hub);
    std::vector<std::string> overrides { "--wav2vec2_hub=" + hub.string(), "--warmup_steps=9" };
    if (!weights.isEmpty()) {
        model::TensorFile file { m_trained.model, {} };
        std::erase_if(file.tensors, [&](const auto& item) {
            return (weights == "some" && item.first.ends_with("layers.0.attention.q_proj.weight"))
                || (weights == "encoder" && !item.first.starts_with(kEncoderPrefix));
        });
        QCOMPARE(file.tensors.size() == m_trained.model.size(), weights == "all");
        const std::filesystem::path from = path(weights + ".safetensors");
        QVERIFY(bool(model::writeTensorFile(from, file)));
        overrides.push_back("--init_param=" + from.string());
    }
    RankRun run = runOf("run from " + weights, 1, overrides);
    std::string errors;
    std::filesystem::create_directories(run.folder);
    QVERIFY(bool(train::keepFiles(*run.plan(errors).recipe, run.folder)));
    run.joined = [&](const distributed::Group&) { std::filesystem::remove_all(hub); };
    const QString failure = run.train();
    QVERIFY2(isEnough ? failure.isEmpty()
                      : failure.startsWith(
                          "the folder of 'wav2vec2' is gone, and neither a checkpoint of the run"),
        qPrintable(failure));
    const auto found = run.model();
    for (const auto& [name, tensor] : m_trained.model)
        if (isEnough && name.starts_with(kEncoderPrefix)) // which stays in its warm-up
            QVERIFY2(torch::equal(tensor, found.at(name)), name.c_str());
}

EARWRIGHT_TEST(TstEncoderFolder)
#include "tst_encoder_folder.moc"
