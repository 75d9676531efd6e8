#include <QTemporaryDir>
#include <QTest>

#include "core/data/resample.h"
#include "core/recipe/resolve.h"
#include "core/train/memory/fitting_pass.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using namespace earwright::train;
using earwright::tests::RankRun;

namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kSamples = 4000;
constexpr double kSpeed = 1.25;

/// Doubles a batch by the same rows at one speed: nothing is left to chance.
const std::string kFaster = "speed: !new:speechbrain.augment.time_domain.SpeedPerturb\n"
                            "    orig_freq: 8000\n    speeds: [125]\n"
                            "wav_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
                            "    concat_original: True\n    augmentations: [!ref <speed>]\n";

/// Of a batch that was doubled, the first half as it is and the second one bin further.
const std::string kShiftedHalf
    = "shift: !new:speechbrain.augment.freq_domain.RandomShift\n"
      "    min_shift: 1\n    max_shift: 1\n    dim: 2\n"
      "fea_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
      "    concat_original: True\n    augment_start_index: 4\n    concat_end_index: 4\n"
      "    augmentations: [!ref <shift>]\n";

/// conformer.yaml, whose filters learn too.
std::string learntFilters()
{
    std::string text = recipeText("conformer");
    text.insert(text.find("    n_mels: 16\n"), "    requires_grad: True\n");
    text.insert(text.find("[!ref <CNN>, ") + 1, "!ref <compute_features>, ");
    return text.insert(
        text.find("    normalize: !ref"), "    compute_features: !ref <compute_features>\n");
}

std::unique_ptr<Task> augmentedTask(
    const std::string& text, const std::string& weighting = "reduction")
{
    torch::manual_seed(3);
    const recipe::Resolved resolved
        = recipe::resolve(text, "t.yaml", *recipe::parseOverrides({ "--data_folder=/nowhere" }));
    auto labels = data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0, .bos = 1, .eos = 2 });
    if (text.find("task: ctc\n") != std::string::npos)
        labels = data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 });
    auto task = makeTask(*resolved.root,
        std::make_shared<const data::TextEncoder>(std::move(labels)), torch::kCPU, weighting);
    if (!task)
        qFatal("%s", task.error().message.c_str());
    return std::move(*task);
}

data::Batch batchOf(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B)
{
    data::Batch batch;
    batch.wavs_BT = waves_BT;
    batch.wavLens_B = lengths_B;
    batch.tokens_BL = torch::tensor(
        { { 3, 4, 5, 6 }, { 4, 4, 7, 0 }, { 6, 3, 0, 0 }, { 5, 0, 0, 0 } }, torch::kInt64);
    batch.tokenLens_B = torch::tensor({ 1.0F, 0.75F, 0.5F, 0.25F });
    batch.ids = { "a", "b", "c", "d" };
    batch.texts = { "ABCD", "BBE", "DA", "C" };
    batch.indices = { 0, 1, 2, 3 };
    batch.tokens = batch.wholeTokens = 10;
    batch.wholeSize = kRows;
    return batch;
}

data::Batch augmentedNoises()
{
    torch::manual_seed(11);
    const torch::Tensor lengths_B = torch::tensor({ 1.0F, 0.9F, 0.8F, 0.7F });
    const torch::Tensor place_T = torch::arange(kSamples);
    const torch::Tensor waves_BT = torch::randn({ kRows, kSamples }, torch::kFloat32) * 0.1;
    return batchOf(waves_BT * (place_T < lengths_B.unsqueeze(1) * kSamples), lengths_B);
}

/// By hand what kFaster makes: the rows as they are, then faster ones in the same width.
data::Batch doubled(const data::Batch& batch)
{
    data::Batch result = batch;
    std::vector<torch::Tensor> faster;
    for (int64_t row = 0; row < kRows; ++row) {
        const torch::Tensor wave = batch.wavs_BT[row].contiguous();
        const float* const samples = wave.data_ptr<float>();
        const torch::Tensor shorter = torch::tensor(data::resample(
            std::vector<float>(samples, samples + kSamples), data::speedRatio(kSpeed)));
        faster.push_back(torch::constant_pad_nd(shorter, { 0, kSamples - shorter.size(0) }));
    }
    result.wavs_BT = torch::cat({ batch.wavs_BT, torch::stack(faster) });
    result.wavLens_B = torch::cat({ batch.wavLens_B, batch.wavLens_B / kSpeed });
    result.tokens_BL = torch::cat({ batch.tokens_BL, batch.tokens_BL });
    result.tokenLens_B = torch::cat({ batch.tokenLens_B, batch.tokenLens_B });
    result.ids = { "a", "b", "c", "d", "a", "b", "c", "d" };
    result.tokens = result.wholeTokens = 2 * batch.tokens;
    result.wholeSize = 2 * kRows;
    return result;
}

bool isNear(const torch::Tensor& a, const torch::Tensor& b, double tolerance = 1e-9)
{
    return torch::allclose(a.to(torch::kDouble), b.to(torch::kDouble), tolerance, 1e-12);
}

/// The gradients of one batch, computed in so many parts.
std::vector<torch::Tensor> gradientsIn(int64_t parts, const std::string& text)
{
    std::vector<torch::Tensor> gradients;
    const auto thrown = tests::Ranks(1).run([&](distributed::Group& group) {
        const auto task = augmentedTask(text);
        const auto parameters = task->modules().parameters();
        precision::Precision precision(precision::Type::Fp32, precision::Type::Fp32, torch::kCPU);
        distributed::GradientSync sync(group, parameters, {}, {});
        FittingPass pass({ .task = *task,
            .precision = precision,
            .sync = sync,
            .group = group,
            .parameters = parameters,
            .device = torch::kCPU,
            .report = [](const NotFitting&) {} });
        for (int64_t rows = 2 * kRows; rows > 2 * kRows / parts; rows /= 2)
            pass.plan.tooMuch(rows, 1);
        pass.run(augmentedNoises(), 1, true);
        for (const auto& [name, parameter] : parameters)
            gradients.push_back(parameter.grad().clone());
    });
    return thrown.front().empty() ? gradients : std::vector<torch::Tensor>();
}

} // namespace

/// Augmentations that make other rows of a batch, and features that learn.
class TstAugmentedBatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void madeRows_haveTheTargetsOfThoseTheyWereMadeOf();
    void madeRows_areWeighedAsOneBatch_data();
    void madeRows_areWeighedAsOneBatch();
    void partsOfAStep_addUpToItsLoss_data();
    void partsOfAStep_addUpToItsLoss();
    void rowsPastAnIndex_areAugmentedBesideTheOthers();
    void evaluation_seesTheRowsThatWereRead();
    void warmup_trainsOnTheRowsThatWereRead();
    void learntFilters_getAGradient();
    void learntFilters_getTheSameInParts();
    void ranksAndMicroBatches_takeTheStepOfOneBatch_data();
    void ranksAndMicroBatches_takeTheStepOfOneBatch();

private:
    RankRun runOf(const QString& name, const std::string& text, std::vector<std::string> overrides,
        int ranks);

    QTemporaryDir m_folder;
};

void TstAugmentedBatch::initTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    tests::writeNoises(m_folder.filePath("data").toStdString(), 8);
}

void TstAugmentedBatch::cleanupTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

void TstAugmentedBatch::madeRows_haveTheTargetsOfThoseTheyWereMadeOf()
{
    const data::Batch expected = doubled(augmentedNoises());
    const TrainingInput input
        = augmentedTask(recipeText("conformer") + kFaster)->trainingInput(augmentedNoises());
    QCOMPARE(input.batch.ids, expected.ids);
    QCOMPARE(input.batch.wavs_BT.sizes(), expected.wavs_BT.sizes());
    QVERIFY(torch::equal(input.batch.tokens_BL, expected.tokens_BL));
    QVERIFY(torch::equal(input.batch.tokenLens_B, expected.tokenLens_B));
    QVERIFY(isNear(input.batch.wavLens_B, expected.wavLens_B, 1e-6));
    QCOMPARE(input.batch.tokens, expected.tokens);
    QVERIFY(isNear(input.features,
        augmentedTask(recipeText("conformer"))->features(expected, Stage::Valid), 1e-6));
}

void TstAugmentedBatch::madeRows_areWeighedAsOneBatch_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::string>("weighting");
    for (const char* recipe : { "conformer", "joint" })
        for (const char* weighting : { "reduction", "utterances", "tokens" })
            QTest::addRow("%s by %s", recipe, weighting)
                << std::string(recipe) << std::string(weighting);
}

/// As upstream: the loss is the mean over all rows that the augmentation gave.
void TstAugmentedBatch::madeRows_areWeighedAsOneBatch()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, weighting);
    const auto augmented = augmentedTask(recipeText(recipe) + kFaster, weighting);
    const auto plain = augmentedTask(recipeText(recipe), weighting);
    const torch::Tensor found = augmented->run(augmentedNoises(), Stage::Train).loss;
    const torch::Tensor expected = plain->run(doubled(augmentedNoises()), Stage::Train).loss;
    QVERIFY(isNear(found, expected, 1e-6));
    QVERIFY(!isNear(found, plain->run(augmentedNoises(), Stage::Train).loss, 1e-3));
}

void TstAugmentedBatch::partsOfAStep_addUpToItsLoss_data()
{
    madeRows_areWeighedAsOneBatch_data();
}

void TstAugmentedBatch::partsOfAStep_addUpToItsLoss()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, weighting);
    const auto task = augmentedTask(recipeText(recipe) + kFaster, weighting);
    const data::Batch batch = augmentedNoises();
    const torch::Tensor expected = task->run(batch, Stage::Train).loss;
    torch::Tensor ofRanks = torch::zeros({});
    for (const data::Batch& part : cut(batch, 3))
        ofRanks
            = ofRanks + task->run(part, Stage::Train).loss * shareIn(batch, part, task->lossUnit());
    QVERIFY(isNear(ofRanks, expected, 1e-6));
    const TrainingInput input = task->trainingInput(batch);
    torch::Tensor inMemory = torch::zeros({});
    int64_t row = 0;
    for (const data::Batch& part : cut(input.batch, 3)) {
        const torch::Tensor features = input.features.narrow(0, row, std::ssize(part.ids));
        row += std::ssize(part.ids);
        inMemory = inMemory
            + task->run(part, features, Stage::Train).loss
                * shareIn(input.batch, part, task->lossUnit());
    }
    QVERIFY(isNear(inMemory, expected, 1e-6));
}

/// Upstream's template: what `wav_augment` left as it was, `fea_augment` leaves too.
void TstAugmentedBatch::rowsPastAnIndex_areAugmentedBesideTheOthers()
{
    const std::string text = recipeText("conformer") + kFaster;
    const TrainingInput before = augmentedTask(text)->trainingInput(augmentedNoises());
    const TrainingInput input
        = augmentedTask(text + kShiftedHalf)->trainingInput(augmentedNoises());
    QCOMPARE(input.batch.ids, before.batch.ids);
    QVERIFY(torch::equal(input.features.slice(0, 0, 4), before.features.slice(0, 0, 4)));
    QVERIFY(
        torch::equal(input.features.slice(0, 4), torch::roll(before.features.slice(0, 4), 1, 2)));
    QCOMPARE(input.batch.made->givenRows, kRows);
    QCOMPARE(input.batch.made->rows, 2 * kRows);
}

void TstAugmentedBatch::evaluation_seesTheRowsThatWereRead()
{
    const auto task = augmentedTask(recipeText("conformer") + kFaster);
    QCOMPARE(task->features(augmentedNoises(), Stage::Valid).size(0), kRows);
    task->modules().train(false);
    QCOMPARE(task->run(augmentedNoises(), Stage::Valid).hypotheses.size(), size_t(kRows));
}

/// Upstream: `optimizer_step > augment_warmup`, of the steps that are done.
void TstAugmentedBatch::warmup_trainsOnTheRowsThatWereRead()
{
    const auto task
        = augmentedTask(recipeText("conformer") + kFaster + kShiftedHalf + "augment_warmup: 3\n");
    const data::Batch batch = augmentedNoises();
    QCOMPARE(task->trainingInput(batch).batch.ids.size(), size_t(2 * kRows)); // nothing told
    task->startStep(3);
    const TrainingInput before = task->trainingInput(batch);
    QCOMPARE(before.batch.ids.size(), size_t(kRows));
    QVERIFY(torch::equal(before.features, task->features(batch, Stage::Valid)));
    task->startStep(4);
    QCOMPARE(task->trainingInput(batch).batch.ids.size(), size_t(2 * kRows));
}

void TstAugmentedBatch::learntFilters_getAGradient()
{
    const auto task = augmentedTask(learntFilters());
    task->run(augmentedNoises(), Stage::Train).loss.backward();
    int learnt = 0;
    for (const auto& [name, parameter] : task->modules().parameters()) {
        QVERIFY2(parameter.grad().defined(), name.c_str());
        learnt += name.find("compute_fbanks") != std::string::npos
            && parameter.grad().abs().sum().item<double>() > 0;
    }
    QCOMPARE(learnt, 2); // centres and widths
    QVERIFY(!augmentedTask(recipeText("conformer"))
                 ->trainingInput(augmentedNoises())
                 .features.requires_grad());
    QVERIFY(!task->features(augmentedNoises(), Stage::Valid).requires_grad());
}

void TstAugmentedBatch::learntFilters_getTheSameInParts()
{
    const std::string text = learntFilters() + kFaster;
    const std::vector<torch::Tensor> expected = gradientsIn(1, text);
    const std::vector<torch::Tensor> found = gradientsIn(4, text);
    QVERIFY(!expected.empty());
    QCOMPARE(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
        QVERIFY(isNear(found[i], expected[i], 1e-8));
}

/// All begin with the same weights: threads share one generator and would draw others.
RankRun TstAugmentedBatch::runOf(
    const QString& name, const std::string& text, std::vector<std::string> overrides, int ranks)
{
    const std::string recipe = m_folder.filePath("recipe.yaml").toStdString();
    if (!writeFileAtomically(recipe, text))
        qFatal("cannot write %s", recipe.c_str());
    const std::filesystem::path initial = m_folder.filePath("initial").toStdString();
    if (const auto weights = lastCheckpoint(run::RunFolder { initial }.checkpoints()))
        overrides.push_back("--init_param=" + (*weights / "model.safetensors").string());
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = std::move(overrides),
        .ranks = ranks };
}

void TstAugmentedBatch::ranksAndMicroBatches_takeTheStepOfOneBatch_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("ctc") << recipeText("conformer") + kFaster;
    QTest::newRow("ctc and attention") << recipeText("joint") + kFaster;
    QTest::newRow("learnt filters") << learntFilters() + kFaster;
}

void TstAugmentedBatch::ranksAndMicroBatches_takeTheStepOfOneBatch()
{
    QFETCH(std::string, text);
    std::filesystem::remove_all(m_folder.filePath("initial").toStdString());
    const RankRun initial = runOf("initial", text, { "--optimizer_step_limit=1" }, 1);
    QCOMPARE(initial.train(), QString());
    const std::string limit = "--optimizer_step_limit=4";
    const QString name = QTest::currentDataTag();
    const RankRun whole = runOf(name + "whole", text, { limit }, 1);
    const RankRun ranks = runOf(name + "ranks", text, { limit }, 2);
    const RankRun parts = runOf(
        name + "parts", text, { limit, "--batch_size=2", "--grad_accumulation_factor=4" }, 1);
    for (const RankRun* run : { &whole, &ranks, &parts })
        QCOMPARE(run->train(), QString());
    const auto expected = whole.model();
    for (const RankRun* run : { &ranks, &parts })
        for (const auto& [weight, found] : run->model())
            QVERIFY2(isNear(found, expected.at(weight)), weight.c_str());
    QVERIFY(!isNear(expected.begin()->second, initial.model().begin()->second, 1e-6));
}

EARWRIGHT_TEST(TstAugmentedBatch)
#include "tst_augmented_batch.moc"
