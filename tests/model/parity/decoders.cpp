#include "tests/model/parity/runners.h"

#include "core/base/file.h"
#include "core/decode/ctc_prefix_score.h"
#include "core/decode/language_model_scorer.h"
#include "core/decode/s2s_search.h"
#include "core/decode/token_ngram_scorer.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/layer_set.h"

#include <QTemporaryDir>

#include <torch/utils.h>

namespace earwright::tests {

namespace {

constexpr const char* kDecoderTransformer
    = "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR";
constexpr const char* kLinear = "speechbrain.nnet.linear.Linear";

/// Impossible tokens stand for -1e20, beside which nothing else would count.
void comparePossible(const std::string& what, const torch::Tensor& actual,
    const torch::Tensor& recorded, Tolerance tolerance, Comparison& compare)
{
    const torch::Tensor expected = recorded.cpu();
    const torch::Tensor isPossible = expected > -1e19;
    compare.check(what + ": possible tokens", torch::equal(actual > -1e19, isPossible));
    compare.tensors(
        what, actual.masked_fill(~isPossible, 0), expected.masked_fill(~isPossible, 0), tolerance);
}

void runPrefixScore(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    decode::CtcPrefixScore score(test.tensor("in.log_probs"), test.tensor("in.enc_lens"),
        arguments.at("blank_index"), arguments.at("eos_index"));
    const Tolerance tolerance { 1e-4, 1e-5 };
    for (int step = 0; step < 3; ++step) {
        const std::string number = std::to_string(step);
        const torch::Tensor scores = score.score(test.tensor("in.tokens" + number));
        comparePossible(
            "score" + number, scores, test.tensor("out.score" + number), tolerance, compare);
        comparePossible("psi" + number, score.prefixScores(), test.tensor("out.psi" + number),
            tolerance, compare);
        score.keep(test.tensor("in.permute" + number));
    }
}

std::shared_ptr<model::Layer> layerOf(
    const Case& test, const char* className, const Json& arguments, const std::string& prefix)
{
    const recipe::NodePtr node = constructorNode(className, arguments);
    std::vector<recipe::Diagnostic> diagnostics;
    std::shared_ptr<model::Layer> layer = model::LayerSet(diagnostics).get(*node);
    if (!layer)
        throw std::runtime_error(diagnostics.front().message);
    Case own = test;
    own.tensors.clear();
    for (const auto& [name, tensor] : test.under("param." + prefix)) { // upstream's state_dict
        const bool isBuffer = layer->named_buffers().contains(name);
        own.tensors[(isBuffer ? "buffer." : "param.") + name] = tensor;
    }
    loadState(*layer, own);
    layer->eval();
    return layer;
}

/// The model of a search case, and what its encoder gives.
struct Recogniser {
    explicit Recogniser(const Case& test)
        : transformer(std::dynamic_pointer_cast<model::TransformerAsr>(
            layerOf(test, kDecoderTransformer, test.json.at("transformer"), "transformer")))
        , attention(layerOf(test, kLinear, linear(test), "seq_lin"))
        , ctc(layerOf(test, kLinear, linear(test), "ctc_lin"))
        , decoder(transformer, attention)
        , lengths(test.tensor("in.wav_len"))
    {
        const torch::NoGradGuard noGrad;
        encoded = transformer->encode(test.tensor("in.src"), lengths);
    }
    static Json linear(const Case& test)
    {
        return { { "input_size", test.json.at("transformer").at("d_model") },
            { "n_neurons", test.json.at("transformer").at("tgt_vocab") } };
    }

    std::shared_ptr<model::TransformerAsr> transformer;
    std::shared_ptr<model::Layer> attention;
    std::shared_ptr<model::Layer> ctc;
    decode::TransformerDecoder decoder;
    torch::Tensor lengths;
    torch::Tensor encoded;
};

decode::S2SOptions decodeOptions(const Json& arguments)
{
    return { .bosIndex = arguments.at("bos_index"),
        .eosIndex = arguments.at("eos_index"),
        .minDecodeRatio = arguments.at("min_decode_ratio"),
        .maxDecodeRatio = arguments.at("max_decode_ratio") };
}

void compareSearch(
    const decode::S2SHypotheses& found, bool isSqueezed, const Case& test, Comparison& compare)
{
    const auto shaped
        = [&](const torch::Tensor& tensor) { return isSqueezed ? tensor.select(1, 0) : tensor; };
    const Tolerance tolerance = test.tolerance("scores");
    compare.tensors(
        "out.lengths", shaped(found.lengths_BK), test.tensor("out.lengths"), { 1e-6, 0 });
    compare.tensors("out.scores", shaped(found.scores_BK), test.tensor("out.scores"), tolerance);
    const torch::Tensor expected = test.hostTensor("out.log_probs");
    const torch::Tensor actual
        = shaped(found.logProbs_BKLV.defined() ? found.logProbs_BKLV : found.logProbs_BKL);
    compare.check("out.log_probs: ended rows", torch::equal(actual.isinf(), expected.isinf()));
    compare.tensors("out.log_probs", actual.masked_fill(actual.isinf(), 0),
        expected.masked_fill(expected.isinf(), 0), tolerance);
}

template <class Tokens>
void compareTokens(const Tokens& found, const Case& test, Comparison& compare)
{
    compare.equal("tokens", found, test.finding("hyps").whole());
}

void runGreedySearch(const Case& test, Comparison& compare)
{
    Recogniser recogniser(test);
    const auto found = decode::greedyS2S(recogniser.decoder,
        decodeOptions(test.json.at("constructor")), recogniser.encoded, recogniser.lengths, true);
    compare.tensors(
        "out.enc", recogniser.encoded, test.tensor("out.enc"), test.tolerance("scores"));
    compareSearch(found, false, test, compare);
    compareTokens(found.best(), test, compare);
}

decode::S2SBeamOptions beamOptions(const Json& arguments)
{
    return { decodeOptions(arguments), arguments.at("beam_size").get<int64_t>(),
        arguments.value("topk", int64_t { 1 }), arguments.at("using_eos_threshold").get<bool>(),
        arguments.value("eos_threshold", 1.5), arguments.at("length_normalization").get<bool>(),
        arguments.at("temperature").get<double>(), arguments.at("scorers").value("length", 0.0),
        arguments.at("ctc_weight").get<double>() };
}

std::vector<std::vector<std::vector<int64_t>>> lists(const torch::Tensor& tokens_BKL)
{
    std::vector<std::vector<std::vector<int64_t>>> rows;
    for (int64_t b = 0; b < tokens_BKL.size(0); ++b) {
        rows.emplace_back();
        for (int64_t k = 0; k < tokens_BKL.size(1); ++k) {
            const torch::Tensor tokens = tokens_BKL[b][k].contiguous();
            const auto* first = tokens.const_data_ptr<int64_t>();
            rows.back().emplace_back(first, first + tokens.numel());
        }
    }
    return rows;
}

void runBeams(const Case& test, const decode::S2SBeamOptions& options,
    std::vector<decode::WeightedScorer> others, Comparison& compare)
{
    Recogniser recogniser(test);
    const auto ctc = [&](const torch::Tensor& encoder_BTD) {
        return recogniser.ctc->forward(encoder_BTD, {}).log_softmax(-1);
    };
    const auto found = decode::beamS2S(recogniser.decoder, options, recogniser.encoded,
        recogniser.lengths, { ctc, std::move(others) });
    compare.tensors(
        "out.enc", recogniser.encoded, test.tensor("out.enc"), test.tolerance("scores"));
    const bool isTopk = test.json.at("constructor").value("return_topk", false);
    compareSearch(found, !isTopk, test, compare);
    if (isTopk)
        compareTokens(lists(found.tokens_BKL), test, compare);
    else
        compareTokens(found.best(), test, compare);
}

void runBeamSearch(const Case& test, Comparison& compare)
{
    runBeams(test, beamOptions(test.json.at("constructor")), {}, compare);
}

/// What the cases say of their language models in words.
constexpr double kLmTemperature = 1.15;
constexpr double kCoverageThreshold = 0.4;

std::shared_ptr<model::LanguageModel> transformerLmOf(const Case& test)
{
    const Json arguments { { "vocab", 12 }, { "d_model", 16 }, { "nhead", 4 },
        { "num_encoder_layers", 1 }, { "num_decoder_layers", 0 }, { "d_ffn", 24 },
        { "dropout", 0.0 }, { "activation", "!name:torch.nn.GELU" }, { "max_length", 40 } };
    return std::dynamic_pointer_cast<model::LanguageModel>(layerOf(
        test, "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM", arguments, "lm"));
}

std::shared_ptr<model::LanguageModel> rnnLmOf(const Case& test)
{
    const Json arguments { { "output_neurons", 12 }, { "embedding_dim", 6 }, { "dropout", 0.0 },
        { "rnn_layers", 1 }, { "rnn_neurons", 8 }, { "dnn_blocks", 1 }, { "dnn_neurons", 7 },
        { "return_hidden", true } };
    return std::dynamic_pointer_cast<model::LanguageModel>(
        layerOf(test, "speechbrain.lobes.models.RNNLM.RNNLM", arguments, "rnnlm"));
}

std::shared_ptr<decode::StepScorer> tokenNgramOf(const Case& test)
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.path().toStdString() + "/tokens.arpa";
    if (!writeFileAtomically(file, test.json.at("arpa").get<std::string>()))
        throw std::runtime_error("cannot write '" + file.string() + "'");
    const auto ngram = decode::NgramModel::open(file);
    if (!ngram)
        throw std::runtime_error(ngram.error().message);
    std::vector<std::string> tokens { "<blank>", "<s>", "</s>" };
    for (int token = 3; token < 12; ++token)
        tokens.push_back("t" + std::to_string(token));
    return std::make_shared<decode::TokenNgramScorer>(*ngram, tokens);
}

/// Null for one that the options have.
std::shared_ptr<decode::StepScorer> stepScorerOf(const std::string& name, const Case& test)
{
    if (name == "transformerlm")
        return std::make_shared<decode::LanguageModelScorer>(transformerLmOf(test), kLmTemperature);
    if (name == "rnnlm")
        return std::make_shared<decode::LanguageModelScorer>(rnnLmOf(test), 1.0);
    return name == "kenlm" ? tokenNgramOf(test) : nullptr;
}

void runScoredSearch(const Case& test, Comparison& compare)
{
    const Json& scorers = test.json.at("scorers");
    const Json& weights = scorers.at("weights");
    Json arguments = test.json.at("constructor");
    arguments["ctc_weight"] = weights.value("ctc", 0.0);
    arguments["scorers"] = weights;
    decode::S2SBeamOptions options = beamOptions(arguments);
    options.scorerBeamScale = scorers.at("scorer_beam_scale");
    options.coverageWeight = weights.value("coverage", 0.0);
    options.coverageThreshold = kCoverageThreshold;
    std::vector<decode::WeightedScorer> others;
    for (const char* list : { "full", "partial" }) {
        const bool isPartial = std::string_view(list) == "partial";
        for (const std::string name : scorers.at(list)) {
            if (name == "ctc")
                options.isCtcPartial = isPartial;
            else if (const auto scorer = stepScorerOf(name, test))
                others.push_back({ scorer, weights.at(name).get<double>(), isPartial });
        }
    }
    runBeams(test, options, std::move(others), compare);
}

} // namespace

Runners decoderRunners()
{
    const std::string s2s = "speechbrain.decoders.seq2seq.";
    return { { "speechbrain.decoders.ctc.CTCPrefixScore", runPrefixScore },
        { s2s + "S2STransformerGreedySearcher", runGreedySearch },
        { s2s + "S2STransformerBeamSearcher", runBeamSearch },
        { s2s + "S2STransformerBeamSearcher + ScorerBuilder", runScoredSearch } };
}

} // namespace earwright::tests
