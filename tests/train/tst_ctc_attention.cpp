#include <QFile>
#include <QTest>
#include <torch/utils.h>

#include "core/decode/s2s_search.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/ctc_loss.h"
#include "core/model/label_loss.h"
#include "core/model/masks.h"
#include "core/precision/precision.h"
#include "core/recipe/resolve.h"
#include "core/train/task/ctc_output.h"
#include "core/train/task/loss_term.h"
#include "core/train/task/nbest_output.h"
#include "core/train/task/target_texts.h"
#include "core/train/task/task.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::train;

namespace {

constexpr int64_t kNoiseRows = 4;

const std::string kLimits = "    modules: [!ref <Transformer>, !ref <seq_lin>]\n"
                            "    bos_index: !ref <bos_index>\n    eos_index: !ref <eos_index>\n"
                            "    min_decode_ratio: 0.0\n    max_decode_ratio: 0.5\n";

const std::string kBeams = "test_search: !new:speechbrain.decoders.S2STransformerBeamSearcher\n"
    + kLimits + "    beam_size: 4\n    using_eos_threshold: False\n    scorer: !ref <scorer>\n";

const std::string kScorer
    = "ctc_scorer: !new:speechbrain.decoders.scorer.CTCScorer\n    ctc_fc: !ref <ctc_lin>\n"
      "    blank_index: 0\n    eos_index: !ref <eos_index>\n"
      "scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
      "    full_scorers: [!ref <ctc_scorer>]\n    weights: {ctc: 0.4}\n";

/// The task of tests/cases/train/equal/joint.yaml, with overrides and what comes behind it.
Result<std::unique_ptr<Task>> makeJoint(const std::vector<std::string>& overrides = {},
    const std::string& weighting = "reduction", const std::string& more = "")
{
    QFile file(QStringLiteral(EARWRIGHT_CASES_DIR "/train/equal/joint.yaml"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture");
    std::vector<std::string> words { "--data_folder=/nowhere" };
    words.insert(words.end(), overrides.begin(), overrides.end());
    const recipe::Resolved resolved = recipe::resolve(
        file.readAll().toStdString() + more, "joint.yaml", *recipe::parseOverrides(words));
    if (!resolved.root)
        qFatal("the fixture does not resolve");
    torch::manual_seed(3);
    auto labels = data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0, .bos = 1, .eos = 2 });
    return makeTask(*resolved.root, std::make_shared<const data::TextEncoder>(std::move(labels)),
        torch::kCPU, weighting);
}

/// Noises of 1, 0.9, 0.8 and 0.7 of a second with 4, 3, 2 and 1 tokens.
data::Batch attentionNoises()
{
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ kNoiseRows, 8000 }) * 0.1;
    batch.wavLens_B = torch::tensor({ 1.0F, 0.9F, 0.8F, 0.7F });
    batch.tokens_BL = torch::tensor(
        { { 3, 4, 5, 6 }, { 4, 4, 7, 0 }, { 8, 3, 0, 0 }, { 5, 0, 0, 0 } }, torch::kInt64);
    batch.tokenLens_B = torch::tensor({ 1.0F, 0.75F, 0.5F, 0.25F });
    batch.ids = { "a", "b", "c", "d" };
    batch.texts = { "ABCD", "BBE", "FA", "C" };
    batch.indices = { 0, 1, 2, 3 };
    batch.audioSeconds = 3.4;
    batch.tokens = batch.wholeTokens = 10;
    batch.wholeSize = kNoiseRows;
    return batch;
}

/// What the chains of the task were given and gave, in their order.
struct Seen {
    std::vector<torch::Tensor> logits; ///< of ctc_lin, of seq_lin
    std::vector<torch::Tensor> logProbs;
};

Seen watch(Task& task, const data::Batch& batch, TaskOutput& output, Stage stage = Stage::Train)
{
    Seen seen;
    task.observe([&](const std::string& key, const torch::Tensor& input) {
        if (key == "log_softmax")
            seen.logits.push_back(input);
        if (key.empty())
            seen.logProbs.push_back(input);
    });
    output = task.run(batch, stage);
    task.observe({});
    return seen;
}

/// The texts of tokens of makeJoint()'s labels.
std::vector<std::string> spelt(const std::vector<std::vector<int64_t>>& rows)
{
    std::vector<std::string> texts;
    for (const std::vector<int64_t>& row : rows) {
        texts.emplace_back();
        for (const int64_t token : row)
            texts.back() += token > 2 && token < 9 ? std::string(1, char('A' + token - 3)) : "";
    }
    return texts;
}

torch::Tensor lossOf(const Seen& seen, const data::Batch& batch)
{
    catalog::CtcLossConfig ctc;
    ctc.reduction = "batchmean";
    const TargetTexts targets = textsBefore(2, batch);
    const model::LabelLossOptions seq { .labelSmoothing = 0.1, .reduction = "batchmean" };
    return 0.3
        * model::ctcLoss(seen.logProbs[0], batch.tokens_BL, batch.wavLens_B, batch.tokenLens_B, ctc)
        + 0.7 * model::kldivLoss(seen.logProbs[1], targets.tokens_BU, targets.lengths_B, seq);
}

} // namespace

class TstCtcAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_areShiftedByOneToken()
    {
        const data::Batch batch = attentionNoises();
        const TargetTexts targets = textsBefore(2, batch);
        QVERIFY(torch::equal(textsAfter(1, batch)[1], torch::tensor({ 1, 4, 4, 7, 0 })));
        QVERIFY(torch::equal(targets.tokens_BU[1], torch::tensor({ 4, 4, 7, 2, 0 })));
        QVERIFY(torch::equal(targets.tokens_BU[0], torch::tensor({ 3, 4, 5, 6, 2 })));
        QVERIFY(torch::allclose(
            targets.lengths_B, torch::tensor({ 1.0, 0.8, 0.6, 0.4 }, torch::kFloat64), 1e-12, 0));
    }

    /// As float32, 61 of 70 is above what it stands for, and a padded target would count too.
    void lengthOfLongTexts_countsNoPadding()
    {
        for (const int64_t most : { 69, 200, 511 }) {
            data::Batch batch;
            batch.tokens_BL = torch::ones({ most, most }, torch::kInt64);
            batch.tokenLens_B = (torch::arange(1, most + 1).to(torch::kFloat64) / double(most))
                                    .to(torch::kFloat32);
            const TargetTexts targets = textsBefore(2, batch);
            const torch::Tensor mask
                = model::paddingMask(targets.lengths_B, most + 1, targets.tokens_BU);
            QVERIFY(torch::equal(mask.sum(1), torch::arange(2, most + 2)));
        }
    }

    void loss_isTheWeightedSumOfBoth()
    {
        const auto task = makeJoint();
        QVERIFY2(task, task ? "" : task.error().message.c_str());
        TaskOutput output;
        const data::Batch batch = attentionNoises();
        const Seen seen = watch(**task, batch, output);
        QCOMPARE(seen.logProbs.size(), size_t { 2 });
        QVERIFY(torch::allclose(output.loss, lossOf(seen, batch), 1e-6, 0));
        QVERIFY(output.hypotheses.empty());
    }

    void nBest_areTheBeamsOfTheRecipesSearch()
    {
        const auto task = makeJoint({}, "reduction", kScorer + kBeams);
        QVERIFY2(task, task ? "" : task.error().message.c_str());
        (*task)->modules().train(false);
        const torch::NoGradGuard noGrad;
        const data::Batch batch = attentionNoises();
        const torch::Tensor features = (*task)->features(batch, Stage::Test);
        const auto best = (*task)->recognise(batch, features, Stage::Test);
        auto& output = dynamic_cast<NBestOutput&>(**task);
        QVERIFY(output.searchesBeams());
        output.keep(3, std::nullopt);
        const auto rows = output.nBest(batch, features);
        QCOMPARE(std::ssize(rows), kNoiseRows);
        for (size_t row = 0; row < rows.size(); ++row) {
            QVERIFY(rows[row].size() >= 3);
            QCOMPARE(rows[row][0].text, best[row]);
            QVERIFY(rows[row][0].score >= rows[row][1].score);
            QVERIFY(rows[row][1].score >= rows[row][2].score);
        }
        output.keep(6, std::nullopt); // more than the recipe's beams
        QCOMPARE(output.nBest(batch, features)[0].size(), size_t { 6 });
        QVERIFY(!dynamic_cast<NBestOutput&>(**makeJoint()).searchesBeams());
    }

    void validation_givesATextARow()
    {
        const auto task = makeJoint();
        QVERIFY(task);
        const torch::NoGradGuard noGrad;
        (*task)->modules().train(false);
        QCOMPARE(std::ssize((*task)->run(attentionNoises(), Stage::Valid).hypotheses), kNoiseRows);
    }

    /// speechbrain.utils.Accuracy: the likeliest label in each place up to <eos>.
    void hits_areOfTheLabelsAndTheEnd()
    {
        const auto task = makeJoint();
        QVERIFY(task);
        const torch::NoGradGuard noGrad;
        (*task)->modules().train(false);
        const data::Batch batch = attentionNoises();
        TaskOutput output;
        const Seen seen = watch(**task, batch, output, Stage::Valid);
        const TargetTexts targets = textsBefore(2, batch);
        int64_t right = 0;
        for (int64_t row = 0; row < kNoiseRows; ++row)
            for (int64_t place = 0; place <= 4 - row; ++place)
                right += seen.logProbs[1][row][place].argmax().item<int64_t>()
                    == targets.tokens_BU[row][place].item<int64_t>();
        QCOMPARE(output.hits.right, right);
        QCOMPARE(output.hits.all, int64_t(14)); // 10 and four <eos>
        watch(**task, batch, output, Stage::Train);
        QCOMPARE(output.hits.all, int64_t(0));
    }

    void validSearchInterval_leavesEpochsWithoutTexts()
    {
        const auto task = makeJoint({}, "reduction", "valid_search_interval: 3\n");
        QVERIFY(task);
        const torch::NoGradGuard noGrad;
        (*task)->modules().train(false);
        const data::Batch batch = attentionNoises();
        const auto textsIn = [&](int64_t epoch, Stage stage) {
            (*task)->startEpoch(epoch);
            return std::ssize((*task)->run(batch, stage).hypotheses);
        };
        QCOMPARE(std::ssize((*task)->run(batch, Stage::Valid).hypotheses), kNoiseRows);
        QCOMPARE(textsIn(1, Stage::Valid), 0);
        QCOMPARE(textsIn(2, Stage::Valid), 0);
        QCOMPARE(textsIn(3, Stage::Valid), kNoiseRows);
        QCOMPARE(textsIn(4, Stage::Test), kNoiseRows);
    }

    void searches_areThoseOfTheRecipe()
    {
        const auto task = makeJoint({}, "reduction",
            kScorer + kBeams
                + "valid_search: !new:speechbrain.decoders.S2STransformerGreedySearcher\n"
                + kLimits);
        QVERIFY2(task, task ? "" : task.error().message.c_str());
        const torch::NoGradGuard noGrad;
        (*task)->modules().train(false);
        const data::Batch batch = attentionNoises();
        const torch::Tensor features = (*task)->features(batch, Stage::Test);
        const auto transformer = std::dynamic_pointer_cast<model::TransformerAsr>(
            (*task)->modules().find("Transformer"));
        const torch::Tensor encoder_BTD = transformer->encode(
            (*task)->modules().find("CNN")->forward(features), batch.wavLens_B);
        decode::TransformerDecoder decoder(transformer, (*task)->modules().find("seq_lin"));
        decode::S2SBeamOptions options;
        options.bosIndex = 1;
        options.eosIndex = 2;
        options.maxDecodeRatio = 0.5;
        const auto greedy
            = decode::greedyS2S(decoder, options, encoder_BTD, batch.wavLens_B).best();
        options.usingEosThreshold = false;
        options.ctcWeight = 0.4;
        const auto ctc = [&](const torch::Tensor& encoder) {
            return (*task)->modules().find("ctc_lin")->forward(encoder).log_softmax(-1);
        };
        const auto beams
            = decode::beamS2S(decoder, options, encoder_BTD, batch.wavLens_B, { ctc }).best();
        QCOMPARE((*task)->recognise(batch, features, Stage::Valid), spelt(greedy));
        QCOMPARE((*task)->recognise(batch, features, Stage::Test), spelt(beams));
        QVERIFY(spelt(greedy) != spelt(beams));
        QCOMPARE((*task)->run(batch, features, Stage::Test).hypotheses, spelt(beams));
    }

    void ctcOutput_givesNoBoundary()
    {
        const auto task = makeJoint();
        QVERIFY(task);
        const torch::NoGradGuard noGrad;
        auto* output = dynamic_cast<CtcOutput*>(task->get());
        QVERIFY(output);
        const data::Batch batch = attentionNoises();
        const torch::Tensor logProbs_BTV
            = output->ctcLogProbs(batch, (*task)->features(batch, Stage::Test));
        QVERIFY((logProbs_BTV.slice(-1, 1, 3) == -1e20).all().item<bool>());
        QVERIFY((logProbs_BTV.select(-1, 0) > -1e3).all().item<bool>());
    }

    void underAutocast_softmaxAndLossesStayInFloat32_data()
    {
        QTest::addColumn<int>("type");
        QTest::newRow("bf16") << static_cast<int>(precision::Type::Bf16);
        QTest::newRow("fp16") << static_cast<int>(precision::Type::Fp16);
    }

    void underAutocast_softmaxAndLossesStayInFloat32()
    {
        QFETCH(int, type);
        const auto task = makeJoint();
        QVERIFY(task);
        const data::Batch batch = attentionNoises();
        TaskOutput output;
        Seen seen;
        {
            const precision::Autocast autocast(static_cast<precision::Type>(type), at::kCPU);
            seen = watch(**task, batch, output);
        }
        QCOMPARE(seen.logits.size(), size_t { 2 });
        for (size_t i = 0; i < 2; ++i) {
            // The layers below did compute in the narrow type: the float32 begins here.
            QVERIFY(seen.logits[i].scalar_type() != torch::kFloat32);
            QCOMPARE(seen.logProbs[i].scalar_type(), torch::kFloat32);
            QVERIFY(
                torch::equal(seen.logProbs[i], seen.logits[i].to(torch::kFloat32).log_softmax(-1)));
        }
        QCOMPARE(output.loss.scalar_type(), torch::kFloat32);
        // Outside of autocast nothing is narrow: the same number means the same arithmetic.
        QCOMPARE(output.loss.item<float>(), lossOf(seen, batch).item<float>());
    }

    void partsOfAStep_addUpToItsLoss_data()
    {
        QTest::addColumn<std::string>("seqCost");
        QTest::addColumn<std::string>("ctc");
        QTest::addColumn<std::string>("seq");
        QTest::addColumn<std::string>("weighting");
        for (const char* cost : { "kldiv_loss", "nll_loss" })
            for (const char* ctc : { "mean", "sum", "batch", "batchmean", "none" })
                for (const char* seq : { "mean", "sum", "batch", "batchmean", "none" })
                    for (const char* weighting : { "reduction", "utterances", "tokens" })
                        QTest::addRow("%s %s %s %s", cost, seq, ctc, weighting) << std::string(
                            cost) << std::string(ctc) << std::string(seq) << std::string(weighting);
    }

    void partsOfAStep_addUpToItsLoss()
    {
        QFETCH(std::string, seqCost);
        QFETCH(std::string, ctc);
        QFETCH(std::string, seq);
        QFETCH(std::string, weighting);
        const auto term = seqCost == "kldiv_loss" ? kldivTerm : nllTerm;
        const LossTerm terms[] = { ctcTerm(ctc, weighting), term(seq, weighting) };
        const data::Batch whole = attentionNoises();
        torch::manual_seed(2);
        const torch::Tensor ctcProbs = torch::randn({ kNoiseRows, 20, 9 }).log_softmax(-1);
        const torch::Tensor seqProbs = torch::randn({ kNoiseRows, 5, 9 }).log_softmax(-1);
        const auto loss = [&](const data::Batch& part, int64_t from) {
            const int64_t rows = part.wavLens_B.size(0);
            catalog::CtcLossConfig config;
            config.reduction = terms[0].reduction;
            const TargetTexts targets = textsBefore(2, part);
            const model::LabelLossOptions options { .labelSmoothing = 0.1,
                .reduction = terms[1].reduction };
            const auto function = seqCost == "kldiv_loss" ? model::kldivLoss : model::nllLoss;
            return (model::ctcLoss(ctcProbs.narrow(0, from, rows), part.tokens_BL, part.wavLens_B,
                        part.tokenLens_B, config)
                        .sum()
                    * factorOf(terms[0], part)
                + function(
                      seqProbs.narrow(0, from, rows), targets.tokens_BU, targets.lengths_B, options)
                        .sum()
                    * factorOf(terms[1], part))
                .item<double>();
        };
        double sum = 0;
        int64_t row = 0;
        for (const data::Batch& part : cut(whole, 3)) {
            sum += loss(part, row);
            row += part.wavLens_B.size(0);
        }
        QVERIFY(std::abs(sum - loss(whole, 0)) <= 1e-5 * std::abs(sum));

        // As micro-batches: each is a whole batch of its own, and the step holds both.
        std::vector<data::Batch> micro = cut(whole, 2);
        for (data::Batch& batch : micro) {
            batch.wholeSize = batch.wavLens_B.size(0);
            batch.wholeTokens = batch.tokens;
        }
        joinToStep(micro);
        const double ofMicro = loss(micro[0], 0) + loss(micro[1], micro[0].wholeSize);
        QVERIFY(std::abs(ofMicro - sum) <= 1e-5 * std::abs(sum));
    }

    void reductionsOfUpstream_areKept()
    {
        const data::Batch whole = attentionNoises();
        QCOMPARE(factorOf(ctcTerm("batchmean", "reduction"), whole), 1.0);
        QCOMPARE(factorOf(kldivTerm("mean", "reduction"), whole), 1.0);
        QCOMPARE(factorOf(nllTerm("mean", "reduction"), whole), 1.0);
        QCOMPARE(factorOf(nllTerm("sum", "utterances"), whole), 0.25);
        QCOMPARE(factorOf(nllTerm("mean", "tokens"), whole), 1.0 / 14); // 10 and four <eos>
        QCOMPARE(factorOf(ctcTerm("mean", "tokens"), whole), 0.1);
    }

    void wrongRecipe_isRefusedInWords_data()
    {
        QTest::addColumn<std::string>("setting");
        QTest::addColumn<std::string>("words");
        QTest::addColumn<std::string>("more");
        const auto row = [](const char* setting, const char* words, const std::string& more = "") {
            QTest::newRow(setting) << std::string(setting) << std::string(words) << more;
        };
        row("--ctc_weight=1.5", "ctc_weight, a number from 0 to 1");
        row("--bos_index=10", "the whole number bos_index below 10");
        row("--eos_index=-1", "the whole number eos_index below 10");
        row("--Transformer.num_decoder_layers=0", "has no decoder");
        row("--Transformer.tgt_vocab=8", "tgt_vocab is 8, but the training texts have 9");
        row("--seq_lin.n_neurons=8", "has 8 classes");
        row("--test_search.beam_size=0", "'beam_size' of", kScorer + kBeams);
        row("--test_search.bos_index=0", "must be three different ones", kScorer + kBeams);
        row("--scorer.weights.ctc=1.5", "the weight of CTC must be", kScorer + kBeams);
        row("--test_search.modules=[1, 2]", "'modules' of a search must be", kScorer + kBeams);
        row("--test_search.topk=5", "needs a beam_size of as many", kScorer + kBeams);
        row("--scorer.weights.lm=1", "'weights' has 'lm'", kScorer + kBeams);
        row("--other.weights.coverage=1", "searches score by CTCScorer",
            kScorer
                + "lm: !new:speechbrain.decoders.scorer.CoverageScorer\n    vocab_size: 10\n"
                  "other: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
                  "    partial_scorers: [!ref <lm>]\n    weights: {coverage: 0.5}\n"
                  "valid_search: !new:speechbrain.decoders.S2STransformerBeamSearcher\n"
                + kLimits + "    beam_size: 4\n    scorer: !ref <other>\n");
        row("--seed=4", "'valid_search' must be a !new: of",
            "valid_search: !new:speechbrain.decoders.seq2seq.S2SRNNGreedySearcher\n" + kLimits);
    }

    void wrongRecipe_isRefusedInWords()
    {
        QFETCH(std::string, setting);
        QFETCH(std::string, words);
        QFETCH(std::string, more);
        const auto task = makeJoint({ setting }, "reduction", more);
        QVERIFY(!task);
        QVERIFY2(
            task.error().message.find(words) != std::string::npos, task.error().message.c_str());
    }
};

EARWRIGHT_TEST(TstCtcAttention)
#include "tst_ctc_attention.moc"
