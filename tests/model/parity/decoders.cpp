#include "tests/model/parity/runners.h"

#include "core/decode/ctc_prefix_score.h"
#include "core/decode/s2s_search.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/layer_set.h"

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
    const torch::Tensor actual = shaped(found.logProbs_BKL);
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
        decodeOptions(test.json.at("constructor")), recogniser.encoded, recogniser.lengths);
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

void runBeamSearch(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    Recogniser recogniser(test);
    const auto ctc = [&](const torch::Tensor& encoder_BTD) {
        return recogniser.ctc->forward(encoder_BTD, {}).log_softmax(-1);
    };
    const auto found = decode::beamS2S(
        recogniser.decoder, beamOptions(arguments), recogniser.encoded, recogniser.lengths, ctc);
    compare.tensors(
        "out.enc", recogniser.encoded, test.tensor("out.enc"), test.tolerance("scores"));
    const bool isTopk = arguments.value("return_topk", false);
    compareSearch(found, !isTopk, test, compare);
    if (isTopk)
        compareTokens(lists(found.tokens_BKL), test, compare);
    else
        compareTokens(found.best(), test, compare);
}

} // namespace

Runners decoderRunners()
{
    const std::string s2s = "speechbrain.decoders.seq2seq.";
    return { { "speechbrain.decoders.ctc.CTCPrefixScore", runPrefixScore },
        { s2s + "S2STransformerGreedySearcher", runGreedySearch },
        { s2s + "S2STransformerBeamSearcher", runBeamSearch } };
}

} // namespace earwright::tests
