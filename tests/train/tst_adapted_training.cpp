#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

#include "core/model/adapters/adapted_model.h"
#include "core/train/inspect.h"
#include "core/train/recogniser.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

constexpr int kNoises = 19;
constexpr const char* kEncoderClass
    = "enc: !new:speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper\n";
const std::string kAdapted = "enc.adapted_model.";

std::string adaptedConformer()
{
    std::string text = train::recipeText("conformer");
    text = train::with(text, kEncoderClass, "encoder_" + std::string(kEncoderClass));
    return train::with(text, "ctc_lin: !new",
        "enc: !new:speechbrain.nnet.adapters.AdaptedModel\n"
        "    model_to_adapt: !ref <encoder_enc>\n"
        "    adapter_class: !name:speechbrain.nnet.adapters.LoRA\n"
        "    all_linear: True\n"
        "    adapter_kwargs: {rank: 2}\n"
        "ctc_lin: !new");
}

} // namespace

/// CTC on an encoder of which adapters alone are trained, from a training without them on.
class TstAdaptedTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void frozenWeights_areThoseOfTheStart();
    void resumedRun_isTheUnbrokenOne();
    void twoRanks_train();
    void inspection_countsWhatIsTrained();
    void trainedRun_isHeardWith();

private:
    RankRun runOf(const QString& name, int steps) const;
    RankRun runAfter(const QString& name, int steps, const std::string& text,
        const std::vector<std::string>& overrides) const;
    static std::vector<double> scoresOf(
        const RankRun& run, const plan::Plan& plan, const std::filesystem::path& checkpoint);

    QTemporaryDir m_folder;
    std::map<std::string, torch::Tensor> m_start;
    std::string m_startPath;
};

RankRun TstAdaptedTraining::runAfter(const QString& name, int steps, const std::string& text,
    const std::vector<std::string>& overrides) const
{
    const std::string recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(recipe, text))
        qFatal("no recipe");
    RankRun run { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = { "--optimizer_step_limit=" + std::to_string(steps) } };
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

RankRun TstAdaptedTraining::runOf(const QString& name, int steps) const
{
    return runAfter(name, steps, adaptedConformer(), { "--init_param=" + m_startPath });
}

void TstAdaptedTraining::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), kNoises);
    const RankRun plain = runAfter("plain", 3, train::recipeText("conformer"), {});
    QCOMPARE(plain.train(), QString());
    m_start = plain.model();
    const auto last = train::lastCheckpoint(run::RunFolder { plain.folder }.checkpoints());
    QVERIFY(last);
    m_startPath = last->string();
}

void TstAdaptedTraining::frozenWeights_areThoseOfTheStart()
{
    const RankRun run = runOf("adapted", 5);
    QCOMPARE(run.train(), QString());
    int frozen = 0;
    int moved = 0;
    int64_t trained = 0;
    for (const auto& [name, tensor] : run.model()) {
        const bool isAdapter = name.find(".adapter_") != std::string::npos;
        const auto before = m_start.find(model::nameBeforeAdapting(name));
        QCOMPARE(before == m_start.end(), isAdapter);
        const bool isFrozen = name.starts_with(kAdapted) && !isAdapter;
        if (isFrozen) {
            QVERIFY2(torch::equal(tensor, before->second), name.c_str());
            ++frozen;
        }
        if (name.ends_with("adapter_up_proj.weight")) {
            QVERIFY2(tensor.any().item<bool>(), name.c_str()); // it began at 0
            ++moved;
        }
        if (name == "ctc_lin.w.weight")
            QVERIFY(!torch::equal(tensor, before->second));
        if (!isFrozen && !name.starts_with("normalize"))
            trained += tensor.numel();
    }
    QVERIFY(frozen > 20);
    QVERIFY(moved > 10);
    const run::RunStarted started = run.snapshot().started;
    QCOMPARE(started.trainedCount, trained);
    QVERIFY(started.parameterCount > trained);
}

void TstAdaptedTraining::resumedRun_isTheUnbrokenOne()
{
    const RankRun whole = runOf("whole", 9);
    QCOMPARE(whole.train(), QString());
    QCOMPARE(runOf("stopped", 4).train(), QString());
    const RankRun resumed = runOf("stopped", 9);
    QCOMPARE(resumed.train(), QString());
    const auto expected = whole.model();
    const auto found = resumed.model();
    QCOMPARE(found.size(), expected.size());
    for (const auto& [name, tensor] : expected)
        QVERIFY2(torch::equal(tensor, found.at(name)), name.c_str());
}

/// No rank waits for the gradient of what is frozen.
void TstAdaptedTraining::twoRanks_train()
{
    RankRun run = runOf("two ranks", 3);
    run.ranks = 2;
    QCOMPARE(run.train(), QString());
}

void TstAdaptedTraining::inspection_countsWhatIsTrained()
{
    std::string errors;
    const plan::Plan plan = runOf("inspected", 2).plan(errors);
    QCOMPARE(errors, std::string());
    const auto inspected = train::inspect(plan, { .batch = train::BatchSize {} });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    const auto adapted = std::find_if(inspected->layers.begin(), inspected->layers.end(),
        [](const train::InspectedLayer& layer) { return layer.key == "enc"; });
    QVERIFY(adapted != inspected->layers.end());
    QCOMPARE(adapted->className, std::string("AdaptedModel"));
    QVERIFY(adapted->trainedCount > 0);
    QVERIFY(adapted->trainedCount < adapted->parameterCount / 2);
}

/// The log-probability of the best text of each utterance.
std::vector<double> TstAdaptedTraining::scoresOf(
    const RankRun& run, const plan::Plan& plan, const std::filesystem::path& checkpoint)
{
    auto recogniser
        = train::Recogniser::load(plan, run.folder, checkpoint, at::kCPU, { .beamSize = 4 });
    if (!recogniser)
        qFatal("%s", recogniser.error().message.c_str());
    const auto utterances = data::readManifest((run.data / "train.csv").string(), "");
    const auto heard = recogniser->recognise(*utterances, 4);
    if (!heard)
        qFatal("%s", heard.error().message.c_str());
    std::vector<double> scores;
    for (const train::Heard& one : *heard)
        if (one.problem.empty())
            scores.push_back(one.hypotheses.front().score);
    return scores;
}

/// Its adapters are: without what they add, texts have other scores.
void TstAdaptedTraining::trainedRun_isHeardWith()
{
    const RankRun run = runOf("heard", 5);
    QCOMPARE(run.train(), QString());
    std::string errors;
    const plan::Plan plan = run.plan(errors);
    QCOMPARE(errors, std::string());
    const auto last = train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    QVERIFY(last);
    const std::vector<double> scores = scoresOf(run, plan, *last);
    QCOMPARE(scores.size(), size_t(kNoises));

    train::Checkpoint checkpoint = *train::loadCheckpoint(*last);
    for (auto& [name, tensor] : checkpoint.model)
        if (name.ends_with("adapter_up_proj.weight"))
            tensor = torch::zeros_like(tensor);
    const std::string zeroed = m_folder.filePath("zeroed").toStdString();
    QVERIFY(bool(train::writeCheckpoint(zeroed, checkpoint)));
    const std::vector<double> without = scoresOf(run, plan, zeroed);
    QCOMPARE(without.size(), size_t(kNoises));
    QVERIFY(scores != without);
}

EARWRIGHT_TEST(TstAdaptedTraining)
#include "tst_adapted_training.moc"
