#include <QTemporaryDir>
#include <QTest>

#include "core/model/tensor_file.h"
#include "core/train/weights/hub_export.h"
#include "core/train/weights/kept_files.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
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
    void whatLoraAdds_becomesPartOfTheWeights();
    void houlsbysAdapters_haveNoPlaceInAFolder();
    void objectThatIsNotRun_isNotBuilt();
    void otherCheckpoint_isNoFolder();
    void otherType_becomesThatOfTheWeights();
    void goneFolder_isReplacedByInitialWeights_data();
    void goneFolder_isReplacedByInitialWeights();

private:
    std::filesystem::path path(const QString& name) const
    {
        return m_folder.filePath(name).toStdString();
    }
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides) const;
    /// Of four steps, of this recipe.
    run::RunFolder trainedRun(const QString& name, const std::string& text) const;
    /// Trained, with such adapters in all linear layers of the encoder.
    run::RunFolder adaptedRun(const QString& name, const std::string& adapter) const;

    QTemporaryDir m_folder;
    run::RunFolder m_run; ///< of four steps, with its plan, as the engine makes it
    train::Checkpoint m_trained;
    size_t m_encoderSize = 0; ///< weights and buffers of the encoder
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
    m_encoderSize
        = static_cast<size_t>(std::count_if(m_trained.model.begin(), m_trained.model.end(),
            [](const auto& item) { return item.first.starts_with(kEncoderPrefix); }));
}

run::RunFolder TstEncoderFolder::adaptedRun(const QString& name, const std::string& adapter) const
{
    const std::string plain = *readFile(EARWRIGHT_CASES_DIR "/train/pretrained.yaml");
    std::string text = train::with(plain, "\nwav2vec2: !new", "\nplain_wav2vec2: !new");
    text = train::with(text, "\nctc_lin: !new",
        "\nwav2vec2: !new:speechbrain.nnet.adapters.AdaptedModel\n"
        "    model_to_adapt: !ref <plain_wav2vec2>\n    all_linear: True\n"
        "    adapter_class: !name:speechbrain.nnet.adapters."
            + adapter + "ctc_lin: !new");
    return trainedRun(name, text);
}

run::RunFolder TstEncoderFolder::trainedRun(const QString& name, const std::string& text) const
{
    RankRun run = runOf(
        name, 4, { "--wav2vec2_hub=" + kFolderOfEncoder, "--warmup_steps=0", "--lr_wav2vec=0.01" });
    run.recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(run.recipe, text))
        qFatal("no recipe");
    std::string errors;
    const auto folder = run::createRunFolder(run.folder, run.plan(errors));
    const QString failure = folder ? run.train() : QString::fromStdString(errors);
    if (!failure.isEmpty())
        qFatal("%s", qPrintable(failure));
    return *folder;
}

void TstEncoderFolder::trainedEncoder_isWrittenAsAFolder()
{
    const std::filesystem::path out = path("encoder");
    const auto written = train::writeHubFolder(m_run, pathOfLast(m_run.path), out);
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
    QVERIFY(written->empty()); // there is nothing to say
}

/// As in what transformers loads: W + up down alpha / rank.
void TstEncoderFolder::whatLoraAdds_becomesPartOfTheWeights()
{
    const run::RunFolder run
        = adaptedRun("lora", "LoRA\n    adapter_kwargs: {rank: 2, alpha: 3.0}\n");
    const std::filesystem::path out = path("merged");
    const auto written = train::writeHubFolder(run, pathOfLast(run.path), out);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const auto merged = model::readTensorFile(out / "model.safetensors");
    const auto before = model::readTensorFile(kFolderOfEncoder + "/model.safetensors");
    const auto trained = train::loadCheckpoint(pathOfLast(run.path));
    QVERIFY(merged && before && trained);
    size_t changed = 0;
    for (const auto& [name, tensor] : merged->tensors) {
        torch::Tensor wanted = before->tensors.at("wav2vec2." + name);
        const std::string layer
            = "wav2vec2.adapted_model.model." + name.substr(0, name.rfind('.')) + ".";
        const auto up = trained->model.find(layer + "adapter_up_proj.weight");
        if (up != trained->model.end() && name.ends_with(".weight")) {
            QVERIFY2(up->second.any().item<bool>(), name.c_str());
            wanted = wanted
                + 1.5 * up->second.mm(trained->model.at(layer + "adapter_down_proj.weight"));
            ++changed;
        }
        QVERIFY2(torch::allclose(tensor, wanted, 1e-5, 1e-6), name.c_str());
    }
    QCOMPARE(merged->tensors.size(), m_encoderSize);
    QVERIFY(changed > 8);
    QCOMPARE(written->size(), size_t(1));
    QCOMPARE(written->front(),
        "what LoRA adds to " + std::to_string(changed) + " linear layers is part of their weights");
}

void TstEncoderFolder::houlsbysAdapters_haveNoPlaceInAFolder()
{
    const run::RunFolder run
        = adaptedRun("houlsby", "HoulsbyAdapterLinear\n    adapter_kwargs: {projection_size: 2}\n");
    const std::filesystem::path out = path("houlsby encoder");
    const auto written = train::writeHubFolder(run, pathOfLast(run.path), out);
    QVERIFY(!written);
    QCOMPARE(written.error().message,
        std::string("'wav2vec2' has HoulsbyAdapterLinear, for which a folder of the Hub has no "
                    "place: only what LoRA adds becomes part of the weights"));
    QVERIFY(!std::filesystem::exists(out));
}

/// `enc` is run in the place of `Transformer`, whose class Earwright does not know.
void TstEncoderFolder::objectThatIsNotRun_isNotBuilt()
{
    const run::RunFolder run = trainedRun("beside",
        train::with(*readFile(EARWRIGHT_CASES_DIR "/train/pretrained.yaml"), "\nctc_lin: !new",
            "\nTransformer: !new:our_models.Encoder\n    d_model: 16\nctc_lin: !new"));
    const auto written
        = train::writeHubFolder(run, pathOfLast(run.path), path("encoder beside another"));
    QVERIFY2(written, written ? "" : written.error().message.c_str());
}

void TstEncoderFolder::otherCheckpoint_isNoFolder()
{
    train::Checkpoint checkpoint = m_trained;
    const auto weight = std::find_if(
        checkpoint.model.begin(), checkpoint.model.end(), [](const auto& item) {
            return item.first.starts_with(kEncoderPrefix) && item.first.ends_with("q_proj.weight");
        });
    QVERIFY(weight != checkpoint.model.end());
    const std::string name = weight->first;
    checkpoint.model.erase(weight);
    const std::filesystem::path changed = path("other checkpoint");
    QVERIFY(bool(train::writeCheckpoint(changed, checkpoint)));
    const std::filesystem::path out = path("other encoder");
    const auto written = train::writeHubFolder(m_run, changed, out);
    QVERIFY(!written);
    QVERIFY(written.error().message.ends_with(
        "does not fit the run's recipe: '" + name + "' is not in it"));
    QVERIFY(!std::filesystem::exists(out));
}

/// transformers would round them to what config.json says.
void TstEncoderFolder::otherType_becomesThatOfTheWeights()
{
    const std::filesystem::path hub = path("half");
    std::filesystem::copy(kFolderOfEncoder, hub);
    const std::string config = *readFile(hub / "config.json");
    QVERIFY(writeFileAtomically(hub / "config.json",
        train::with(config, "\"dtype\": \"float32\"", "\"dtype\": \"float16\"")));
    const RankRun run = runOf("half run", 1, { "--wav2vec2_hub=" + hub.string() });
    std::string errors;
    const auto folder = run::createRunFolder(run.folder, run.plan(errors));
    QVERIFY2(folder, errors.c_str());
    QCOMPARE(run.train(), QString());
    const std::filesystem::path out = path("half encoder");
    const auto written = train::writeHubFolder(*folder, pathOfLast(run.folder), out);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const std::string text = *readFile(out / "config.json");
    QVERIFY(text.find("\"dtype\": \"float32\"") != text.npos);
    QVERIFY(text.find("float16") == text.npos);
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
