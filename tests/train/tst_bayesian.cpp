#include "core/model/transformer/layer_drop.h"
#include "core/recipe/resolve.h"
#include "core/tasks/ctc_attention/task_bayesian.h"
#include "core/train/task/task.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"

#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::train;

namespace {

/// The task of tests/cases/train/equal/bayesian.yaml.
std::unique_ptr<Task> makeBayesian(const std::vector<std::string>& overrides = {})
{
    std::vector<std::string> words { "--data_folder=/nowhere" };
    words.insert(words.end(), overrides.begin(), overrides.end());
    const recipe::Resolved resolved
        = recipe::resolve(recipeText("bayesian"), "t.yaml", *recipe::parseOverrides(words));
    if (!resolved.root)
        qFatal("the recipe does not resolve");
    torch::manual_seed(3);
    auto labels = data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0, .bos = 1, .eos = 2 });
    auto task = makeTask(*resolved.root,
        std::make_shared<const data::TextEncoder>(std::move(labels)), torch::kCPU, "reduction");
    if (!task)
        qFatal("%s", task.error().message.c_str());
    return std::move(*task);
}

/// Noises of 1 and 0.75 of a second with 4 and 3 tokens.
data::Batch twoNoises()
{
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ 2, 8000 }) * 0.1;
    batch.wavLens_B = torch::tensor({ 1.0F, 0.75F });
    batch.tokens_BL = torch::tensor({ { 3, 4, 5, 6 }, { 4, 4, 3, 0 } }, torch::kInt64);
    batch.tokenLens_B = torch::tensor({ 1.0F, 0.75F });
    batch.ids = { "a", "b" };
    batch.texts = { "ABCD", "BBA" };
    batch.indices = { 0, 1 };
    batch.tokens = batch.wholeTokens = 7;
    batch.wholeSize = 2;
    return batch;
}

double trainLoss(Task& task, uint64_t seed)
{
    task.modules().train(true);
    const model::LayerChoice choice(seed);
    return task.run(twoNoises(), Stage::Train).loss.item<double>();
}

double validLoss(Task& task)
{
    const torch::NoGradGuard noGrad;
    task.modules().train(false);
    return task.run(twoNoises(), Stage::Valid).loss.item<double>();
}

/// Of a joint recipe whose weights are not drawn.
std::shared_ptr<model::TransformerAsr> plainTransformer()
{
    catalog::TransformerAsrConfig config;
    config.inputSize = 6;
    config.tgtVocab = 8;
    config.dModel = 8;
    config.nhead = 2;
    config.dFfn = 16;
    config.dropout = 0;
    config.numEncoderLayers = 1;
    config.numDecoderLayers = 1;
    config.causal = false;
    torch::manual_seed(3);
    return std::make_shared<model::TransformerAsr>(config);
}

} // namespace

/// A joint recipe whose feed-forward weights are drawn.
class TstBayesian : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void training_drawsByTheSeedOfTheBatch();
    void divergence_countsByItsWeight();
    void divergence_isCountedOnceInTheParts();
    void evaluation_isTheMeanOfSeveralDraws();
    void evaluation_repeatsItself();
};

void TstBayesian::training_drawsByTheSeedOfTheBatch()
{
    const auto task = makeBayesian();
    QCOMPARE(trainLoss(*task, 5), trainLoss(*task, 5));
    QVERIFY(trainLoss(*task, 5) != trainLoss(*task, 6));
}

void TstBayesian::divergence_countsByItsWeight()
{
    const double without = trainLoss(*makeBayesian({ "--kl_div_weight=0" }), 5);
    const double once = trainLoss(*makeBayesian({ "--kl_div_weight=0.001" }), 5) - without;
    const double twice = trainLoss(*makeBayesian({ "--kl_div_weight=0.002" }), 5) - without;
    QVERIFY(once > 1);
    QVERIFY(std::abs(twice - 2 * once) < 1e-4 * twice);
    // Validation has none.
    QCOMPARE(validLoss(*makeBayesian({ "--kl_div_weight=0" })), validLoss(*makeBayesian()));
}

void TstBayesian::divergence_isCountedOnceInTheParts()
{
    BayesianPasses passes(plainTransformer(), { .klWeight = 1 }); // of a model in training
    passes.run([] { return BayesianPasses::Outputs {}; });
    const data::Batch whole = twoNoises();
    double sum = 0;
    for (const data::Batch& part : cut(whole, 2))
        sum += passes.loss(part).item<double>();
    QVERIFY(sum > 1);
    QVERIFY(std::abs(sum - passes.loss(whole).item<double>()) < 1e-5 * sum);
}

void TstBayesian::evaluation_isTheMeanOfSeveralDraws()
{
    const auto transformer = plainTransformer();
    BayesianPasses passes(transformer, { .softplusInvScale = 1, .evalSamples = 3 });
    transformer->train(false);
    const torch::NoGradGuard noGrad;
    const torch::Tensor source = torch::randn({ 2, 9, 6 });
    std::vector<torch::Tensor> draws;
    const BayesianPasses::Outputs mean = passes.run([&]() -> BayesianPasses::Outputs {
        draws.push_back(transformer->encode(source, {}));
        return { draws.back(), {} };
    });
    QCOMPARE(draws.size(), size_t { 3 });
    QVERIFY(!draws[0].equal(draws[1]) && !draws[1].equal(draws[2]));
    QVERIFY(torch::allclose(mean.encoder_BTD, (draws[0] + draws[1] + draws[2]) / 3));
    QVERIFY(!mean.decoder_BUD.defined());
    QVERIFY(transformer->encode(source, {}).equal(draws[2])); // what a search goes on with
}

void TstBayesian::evaluation_repeatsItself()
{
    const auto task = makeBayesian();
    const double first = validLoss(*task);
    QCOMPARE(validLoss(*task), first);
    trainLoss(*task, 5);
    QCOMPARE(validLoss(*task), first);
    QVERIFY(validLoss(*makeBayesian({ "--num_eval_mc_samples=1" })) != first);
}

EARWRIGHT_TEST(TstBayesian)
#include "tst_bayesian.moc"
