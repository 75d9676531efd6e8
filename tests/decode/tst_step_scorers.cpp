#include "core/base/file.h"
#include "core/decode/coverage_scorer.h"
#include "core/decode/ctc_prefix_score.h"
#include "core/decode/language_model_scorer.h"
#include "core/decode/s2s_search.h"
#include "core/decode/token_ngram_scorer.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/language/rnn_lm.h"
#include "core/model/language/transformer_lm.h"
#include "core/model/linear.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;

namespace {

constexpr int64_t kTokens = 7;
constexpr int64_t kTexts = 6;

std::shared_ptr<model::LanguageModel> smallTransformer(bool isNormFirst)
{
    catalog::TransformerLmConfig config;
    config.vocab = kTokens;
    config.dModel = 8;
    config.nhead = 2;
    config.numEncoderLayers = 2;
    config.dFfn = 12;
    config.normalizeBefore = isNormFirst;
    config.maxLength = 10;
    return std::make_shared<model::TransformerLm>(config);
}

std::shared_ptr<model::LanguageModel> smallRnn(const char* rnnClass)
{
    catalog::RnnLmConfig config;
    config.outputNeurons = kTokens;
    config.embeddingDim = 5;
    config.rnnNeurons = 6;
    config.dnnNeurons = 4;
    config.rnnClass = recipe::makeScalar("");
    config.rnnClass->tag = std::string("!name:speechbrain.nnet.RNN.") + rnnClass;
    return std::make_shared<model::RnnLm>(config);
}

std::shared_ptr<model::LanguageModel> smallModel(const std::string& kind)
{
    torch::manual_seed(4);
    auto model = kind.starts_with("transformer") ? smallTransformer(kind.ends_with("norm first"))
                                                 : smallRnn(kind.c_str());
    model->eval();
    return model;
}

std::shared_ptr<model::TransformerAsr> smallRecogniser(bool isNormFirst)
{
    catalog::TransformerAsrConfig config;
    config.tgtVocab = kTokens;
    config.inputSize = 4;
    config.dModel = 8;
    config.nhead = 2;
    config.numEncoderLayers = 1;
    config.numDecoderLayers = 2;
    config.dFfn = 12;
    config.normalizeBefore = isNormFirst;
    torch::manual_seed(5);
    const auto recogniser = std::make_shared<model::TransformerAsr>(config);
    recogniser->eval();
    return recogniser;
}

torch::Tensor wholeNumbers(std::initializer_list<int64_t> values)
{
    return torch::tensor(std::vector<int64_t>(values), torch::kInt64);
}

/// Tells the attention that it was given, a row a step.
class LookingDecoder final : public decode::StepDecoder {
public:
    void start(const torch::Tensor&, const torch::Tensor&, int64_t) override { }
    torch::Tensor next(const torch::Tensor&) override { return {}; }
    void reorder(const torch::Tensor&) override { }
    void keepAttention() override { isAsked = true; }
    torch::Tensor attention() const override { return weights_NT; }

    torch::Tensor weights_NT;
    bool isAsked = false;
};

constexpr const char* kArpa = "\\data\\\nngram 1=5\nngram 2=2\n\n\\1-grams:\n-2\t<unk>\t0\n"
                              "0\t<s>\t-0.4\n-0.9\t</s>\t0\n-1\ta\t-0.3\n-1.5\tb\t-0.2\n\n"
                              "\\2-grams:\n-0.25\ta b\n-0.5\t<s> a\n\n\\end\\\n";

} // namespace

/// What scores beside an attention decoder.
class TstStepScorers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void languageModel_scoresAsOverTheWholeText_data()
    {
        QTest::addColumn<std::string>("kind");
        for (const char* kind : { "transformer", "transformer, norm first", "LSTM", "GRU", "RNN" })
            QTest::newRow(kind) << std::string(kind);
    }

    /// Beams are reordered, and token 0 is among them: padding to a TransformerLM.
    void languageModel_scoresAsOverTheWholeText()
    {
        QFETCH(std::string, kind);
        const torch::NoGradGuard noGrad;
        const auto model = smallModel(kind);
        decode::LanguageModelScorer scorer(model, 1.5);
        for (int batch = 0; batch < 2; ++batch) {
            scorer.start(kTexts);
            torch::Tensor texts_NL = torch::ones({ kTexts, 1 }, torch::kInt64);
            for (int step = 0; step < 6; ++step) {
                const torch::Tensor scores_NV
                    = scorer.score(texts_NL.select(1, texts_NL.size(1) - 1), {});
                const torch::Tensor whole_NV
                    = (model->forward(texts_NL).select(1, -1) / 1.5).log_softmax(-1);
                QVERIFY(torch::allclose(scores_NV, whole_NV, 1e-5, 1e-6));
                const torch::Tensor from_N = torch::randint(kTexts, { kTexts }, torch::kInt64);
                const torch::Tensor tokens_N = torch::randint(kTokens, { kTexts }, torch::kInt64);
                scorer.keep(from_N, tokens_N);
                texts_NL
                    = torch::cat({ texts_NL.index_select(0, from_N), tokens_N.unsqueeze(1) }, 1);
            }
        }
    }

    void transformerDecoder_tellsTheAttentionOfTheWholeText_data()
    {
        QTest::addColumn<bool>("isNormFirst");
        QTest::newRow("norm behind") << false;
        QTest::newRow("norm first") << true;
    }

    /// Two beams of two rows, the second of them shorter.
    void transformerDecoder_tellsTheAttentionOfTheWholeText()
    {
        QFETCH(bool, isNormFirst);
        const torch::NoGradGuard noGrad;
        const auto recogniser = smallRecogniser(isNormFirst);
        decode::TransformerDecoder decoder(recogniser, model::makeLinear(8, kTokens));
        decoder.keepAttention();
        const torch::Tensor encoder_BTD = torch::randn({ 2, 5, 8 });
        const torch::Tensor frames_B = wholeNumbers({ 5, 3 });
        const torch::Tensor rows_N = wholeNumbers({ 0, 0, 1, 1 });
        const torch::Tensor from_N = wholeNumbers({ 1, 1, 3, 2 });
        decoder.start(encoder_BTD, frames_B, 2);
        torch::Tensor texts_NL = torch::empty({ 4, 0 }, torch::kInt64);
        for (int step = 0; step < 4; ++step) {
            const torch::Tensor tokens_N = torch::randint(1, kTokens, { 4 }, torch::kInt64);
            texts_NL = torch::cat({ texts_NL, tokens_N.unsqueeze(1) }, 1);
            decoder.next(tokens_N);
            const auto whole = recogniser->decode(
                texts_NL, encoder_BTD.index_select(0, rows_N), frames_B.index_select(0, rows_N));
            QVERIFY(
                torch::allclose(decoder.attention(), whole.weights_BUT.select(1, -1), 1e-5, 1e-6));
            decoder.reorder(from_N);
            texts_NL = texts_NL.index_select(0, from_N);
        }
    }

    void coverage_isAPenaltyOnWhatWasLookedAtTwice()
    {
        LookingDecoder decoder;
        decode::CoverageScorer scorer(decoder, 0.5);
        QVERIFY(decoder.isAsked);
        scorer.start(2);
        decoder.weights_NT = torch::tensor({ { 0.7F, 0.3F }, { 0.5F, 0.5F } });
        QVERIFY(torch::allclose(
            scorer.score(wholeNumbers({ 1, 1 }), {}), torch::tensor({ { -0.2F }, { 0.0F } })));
        scorer.keep(wholeNumbers({ 1, 0 }), wholeNumbers({ 3, 4 }));
        decoder.weights_NT = torch::tensor({ { 0.9F, 0.1F }, { 0.0F, 1.0F } });
        // 1.4 and 0.6, then 0.7 and 1.3; over two steps
        QVERIFY(torch::allclose(
            scorer.score(wholeNumbers({ 3, 4 }), {}), torch::tensor({ { -0.5F }, { -0.5F } })));
    }

    void ngram_scoresCandidatesAndWhatFollowsThem()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.path().toStdString() + "/lm.arpa";
        QVERIFY(bool(writeFileAtomically(file, kArpa)));
        const auto ngram = decode::NgramModel::open(file);
        QVERIFY2(ngram, ngram ? "" : ngram.error().message.c_str());
        decode::TokenNgramScorer scorer(*ngram, { "<blank>", "<s>", "</s>", "a", "b" });
        const auto nats = [](double log10) { return log10 * std::log(10.0); };
        const auto at = [](const torch::Tensor& scores, int64_t beam, int64_t token) {
            return scores[beam][token].item<double>();
        };
        constexpr double kNever = decode::CtcPrefixScore::kNever;
        scorer.start(2);
        const torch::Tensor all_NV = scorer.score(wholeNumbers({ 1, 1 }), {});
        QCOMPARE(at(all_NV, 0, 3), static_cast<double>(static_cast<float>(nats(-1)))); // no <s>
        QVERIFY(std::abs(at(all_NV, 1, 0) - nats(-2)) < 1e-5); // as <unk>
        scorer.start(2);
        const torch::Tensor some_NV
            = scorer.score(wholeNumbers({ 1, 1 }), torch::tensor({ { 3L, 4L }, { 2L, 4L } }));
        QVERIFY(std::abs(at(some_NV, 0, 4) - nats(-1.5)) < 1e-5);
        QCOMPARE(at(some_NV, 1, 3), kNever);
        scorer.keep(wholeNumbers({ 0, 1 }), wholeNumbers({ 3, 3 }));
        const torch::Tensor next_NV = scorer.score(wholeNumbers({ 3, 3 }), {});
        QVERIFY(std::abs(at(next_NV, 0, 4) - nats(-0.25)) < 1e-5);
        QCOMPARE(at(next_NV, 1, 4), kNever); // its own token was no candidate
        try {
            scorer.score(wholeNumbers({ 1, 1 }), torch::tensor({ { 5L }, { 2L } }));
            QFAIL("an output without a name was scored");
        } catch (const c10::Error& error) {
            QCOMPARE(QString(error.what_without_backtrace()),
                "the decoder has an output 5, but token_list ends with 4: name every output in it");
        }
    }
};

EARWRIGHT_TEST(TstStepScorers)
#include "tst_step_scorers.moc"
