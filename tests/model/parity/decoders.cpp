#include "tests/model/parity/runners.h"

#include "core/base/file.h"
#include "core/data/batch_reader.h"
#include "core/decode/ctc_batch.h"
#include "core/decode/ctc_prefix_score.h"
#include "core/decode/s2s_search.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/masks.h"
#include "tests/data/audio_fixture.h"

#include <QTemporaryDir>

namespace kymo::test {

namespace {

constexpr const char* kTransformer
    = "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR";
constexpr const char* kLinear = "speechbrain.nnet.linear.Linear";

// CTC beams

std::shared_ptr<const decode::NgramScorer> scorerOf(const Case& test)
{
    if (!test.json.contains("arpa"))
        return nullptr;
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("tiny.arpa").toStdString();
    const Status written = writeFileAtomically(file, test.json.at("arpa").get<std::string>());
    if (!written)
        throw std::runtime_error(written.error().message);
    const auto model = decode::NgramModel::open(file);
    if (!model)
        throw std::runtime_error(model.error().message);
    const Json& arguments = test.json.at("constructor");
    return std::make_shared<decode::NgramScorer>(*model,
        decode::NgramWeights { .alpha = arguments.value("alpha", 0.5),
            .beta = arguments.value("beta", 1.5),
            .unknownOffset = arguments.value("unk_score_offset", -10.0),
            .scoreBoundary = arguments.value("score_boundary", true) });
}

decode::CtcSearchSetting settingOf(const Case& test)
{
    const Json& arguments = test.json.at("constructor");
    return { .vocabulary
        = decode::CtcVocabulary(arguments.at("vocab_list").get<std::vector<std::string>>(),
            arguments.at("blank_index").get<int64_t>(),
            arguments.value("space_token", std::string(" "))),
        .options = { .beamSize = arguments.value("beam_size", int64_t { 100 }),
            .beamPruneLogp = arguments.value("beam_prune_logp", -10.0),
            .tokenPruneMinLogp = arguments.value("token_prune_min_logp", -5.0),
            .pruneHistory = arguments.value("prune_history", true),
            .blankSkipThreshold = arguments.value("blank_skip_threshold", 1.0),
            .topk = arguments.value("topk", int64_t { 1 }) },
        .scorer = scorerOf(test),
        .hotwords = nullptr };
}

void compareHypothesis(const decode::CtcHypothesis& found, const Json& expected,
    const std::string& place, Tolerance tolerance, Comparison& compare)
{
    const std::string text = expected.at("text").get<std::string>();
    compare.check(place + ": '" + found.text + "', upstream '" + text + "'", found.text == text);
    compare.values(place + " score", found.score, expected.at("score").get<double>(), tolerance);
    compare.values(
        place + " lm_score", found.rank, expected.at("lm_score").get<double>(), tolerance);
    Json frames = Json::array();
    for (const decode::WordFrames& word : found.words)
        frames.push_back({ word.word, { word.begin, word.end } });
    const Json& times = expected.at("text_frames");
    compare.check(
        place + ": frames " + frames.dump() + ", upstream " + times.dump(), frames == times);
}

template <decode::CtcSearch search>
void runCtcBeam(const Case& test, Comparison& compare)
{
    const auto rows = decode::searchBatch(
        search, settingOf(test), test.tensor("in.log_probs"), test.tensor("in.lens"));
    const Tolerance tolerance { test.json.at("tolerance_fp32").at("score").get<double>(), 1e-6 };
    const Json& expected = test.json.at("hyps");
    compare.check("rows", rows.size() == expected.size());
    for (size_t row = 0; row < rows.size(); ++row) {
        const std::string place = "row " + std::to_string(row) + ", ";
        compare.check(place + std::to_string(rows[row].size()) + " hypotheses",
            rows[row].size() == expected[row].size());
        for (size_t i = 0; i < std::min(rows[row].size(), expected[row].size()); ++i)
            compareHypothesis(
                rows[row][i], expected[row][i], place + std::to_string(i), tolerance, compare);
    }
}

// Attention decoders

/// Impossible tokens stand for -1e20, beside which nothing else would count.
void comparePossible(const std::string& what, const torch::Tensor& actual,
    const torch::Tensor& expected, Tolerance tolerance, Comparison& compare)
{
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
    std::shared_ptr<model::Layer> layer = model::makeLayer(*node, diagnostics);
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
            layerOf(test, kTransformer, test.json.at("transformer"), "transformer")))
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
    const torch::Tensor& expected = test.tensor("out.log_probs");
    const torch::Tensor actual = shaped(found.logProbs_BKL);
    compare.check("out.log_probs: ended rows", torch::equal(actual.isinf(), expected.isinf()));
    compare.tensors("out.log_probs", actual.masked_fill(actual.isinf(), 0),
        expected.masked_fill(expected.isinf(), 0), tolerance);
}

template <class Tokens>
void compareTokens(const Tokens& found, const Case& test, Comparison& compare)
{
    const Json tokens = found;
    const Json& expected = test.json.at("hyps");
    compare.check("tokens " + tokens.dump() + ", upstream " + expected.dump(), tokens == expected);
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
    const bool isTopk = arguments.value("return_topk", false);
    compareSearch(found, !isTopk, test, compare);
    if (isTopk)
        compareTokens(lists(found.tokens_BKL), test, compare);
    else
        compareTokens(found.best(), test, compare);
}

// Batches

/// What Kymo's reader makes of utterances of so many samples, "a", "aa", … their texts.
data::Batch readBatch(const std::vector<int64_t>& lengths)
{
    const QTemporaryDir folder;
    auto utterances = std::make_shared<std::vector<data::Utterance>>();
    std::vector<int64_t> rows;
    std::vector<std::string> texts;
    for (const int64_t length : lengths) {
        std::vector<float> samples(static_cast<size_t>(length));
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<float>(i % 2000);
        const auto number = static_cast<int>(rows.size());
        data::Utterance utterance;
        utterance.id = "u" + std::to_string(number);
        utterance.wav = folder.filePath("%1.wav").arg(number).toStdString();
        utterance.text = std::string(static_cast<size_t>(std::min<int64_t>(length, 50)), 'a');
        if (!writeSound(utterance.wav, samples, { .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT }))
            throw std::runtime_error("cannot write " + utterance.wav);
        rows.push_back(std::ssize(*utterances));
        texts.push_back(utterance.text);
        utterances->push_back(std::move(utterance));
    }
    const data::BatchReader reader(utterances,
        std::make_shared<data::TextEncoder>(data::TextEncoder::fromTexts(texts, 0)), {});
    const std::atomic<bool> isStopped = false;
    Result<data::Batch> batch = reader.read(rows, isStopped);
    if (!batch)
        throw std::runtime_error(batch.error().message);
    return std::move(*batch);
}

torch::Tensor whole(const Json& numbers)
{
    return torch::tensor(numbers.get<std::vector<int64_t>>());
}

void runPaddedBatch(const Case& test, Comparison& compare)
{
    int number = 0;
    for (const Json& row : test.json.at("rows")) {
        const std::string place = "row " + std::to_string(number) + " ";
        const data::Batch batch = readBatch(row.at("lens").get<std::vector<int64_t>>());
        const torch::Tensor rel = batch.wavLens_B;
        const int64_t frames = batch.wavs_BT.size(1);
        compare.tensors(
            place + "lengths", rel, test.tensor("out.rel" + std::to_string(number++)), {});
        compare.tensors(
            place + "round", model::frameCounts(rel, frames), whole(row.at("round(rel*T)")), {});
        compare.tensors(place + "half", model::frameCounts(rel, frames / 2),
            whole(row.at("half frame: round(rel*(T//2))")), {});
        compare.tensors(
            place + "cut", decode::wholeFrames(rel, frames), whole(row.at("trunc(rel*T)")), {});
    }
    for (const Json& example :
        test.json.at("trunc_examples (len, max, trunc(fp32(len/max)*max))")) {
        const data::Batch batch = readBatch({ example[0], example[1] });
        compare.check("cut " + example.dump(),
            decode::wholeFrames(batch.wavLens_B, example[1])[0].item<int64_t>() == example[2]);
    }
    const data::Batch samples = readBatch({ 4, 2 });
    compare.tensors("x", samples.wavs_BT, test.tensor("out.batch_x"), {});
    const data::Batch tokens = readBatch({ 3, 1 });
    compare.tensors("t", tokens.tokens_BL.ne(0), test.tensor("out.batch_t").ne(0), {});
}

} // namespace

Runners decoderRunners()
{
    const std::string ctc = "speechbrain.decoders.ctc.";
    const std::string s2s = "speechbrain.decoders.seq2seq.";
    return { { ctc + "CTCBeamSearcher", runCtcBeam<decode::ctcBeamSearch> },
        { ctc + "CTCPrefixBeamSearcher", runCtcBeam<decode::ctcPrefixBeamSearch> },
        { ctc + "CTCPrefixScore", runPrefixScore },
        { s2s + "S2STransformerGreedySearcher", runGreedySearch },
        { s2s + "S2STransformerBeamSearcher", runBeamSearch },
        { "speechbrain.dataio.batch.PaddedBatch", runPaddedBatch } };
}

} // namespace kymo::test
