#include "tests/model/parity/runners.h"

#include "core/base/file.h"
#include "core/decode/ctc_batch.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/masks.h"

#include <QTemporaryDir>

namespace earwright::tests {

namespace {

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

void compareHypothesis(const decode::CtcHypothesis& found, const Finding& expected,
    const std::string& place, Tolerance tolerance, Comparison& compare)
{
    compare.equal(place + " text", found.text, expected.at("text").whole());
    compare.values(place + " score", found.score, expected.at("score").number(), tolerance);
    compare.values(place + " lm_score", found.rank, expected.at("lm_score").number(), tolerance);
    Json frames = Json::array();
    for (const decode::WordFrames& word : found.words)
        frames.push_back({ word.word, { word.begin, word.end } });
    compare.equal(place + " frames", frames, expected.at("text_frames").whole());
}

template <decode::CtcSearch search>
void runCtcBeam(const Case& test, Comparison& compare)
{
    const torch::Tensor& logProbs_BTV = test.tensor("in.log_probs");
    const torch::Tensor lengths_B = test.hostTensor("in.lens");
    compare.tensors("abs_len", decode::wholeFrames(lengths_B, logProbs_BTV.size(1)),
        torch::tensor(test.finding("abs_len").as<std::vector<int64_t>>()), {});
    const auto rows = decode::searchBatch(search, settingOf(test), logProbs_BTV, lengths_B);
    const Tolerance tolerance { test.json.at("tolerance_fp32").at("score").get<double>(), 1e-6 };
    const Finding expected = test.finding("hyps");
    compare.equal("rows", rows.size(), expected.size());
    for (size_t row = 0; row < rows.size(); ++row) {
        const std::string place = "row " + std::to_string(row) + ", ";
        compare.equal(place + "hypotheses", rows[row].size(), expected.at(row).size());
        for (size_t i = 0; i < std::min(rows[row].size(), expected.at(row).size()); ++i)
            compareHypothesis(rows[row][i], expected.at(row).at(i), place + std::to_string(i),
                tolerance, compare);
    }
}

/// What a row of best labels comes to; of no frames nothing does.
std::vector<int64_t> filtered(const std::vector<int64_t>& best)
{
    if (best.empty())
        return {};
    const int64_t labels = *std::ranges::max_element(best) + 1;
    const torch::Tensor scores_1TV
        = torch::one_hot(torch::tensor(best), labels).to(torch::kFloat).unsqueeze(0);
    return decode::ctcGreedy(scores_1TV, torch::ones({ 1 }), 0).front();
}

void runCtcGreedy(const Case& test, Comparison& compare)
{
    const torch::Tensor& logProbs_BTV = test.tensor("in.log_probs");
    const torch::Tensor lengths_B = test.hostTensor("in.lens");
    compare.tensors("abs_len", model::frameCounts(lengths_B, logProbs_BTV.size(1)),
        torch::tensor(test.finding("abs_len").as<std::vector<int64_t>>()), {});
    for (const auto& [name, blank] : { std::pair("greedy_blank0", 0), { "greedy_blank_last", -1 } })
        compare.equal(
            name, decode::ctcGreedy(logProbs_BTV, lengths_B, blank), test.finding(name).whole());
    const torch::Tensor even_BTV = torch::zeros({ 1, 3, 4 }, parityDevice());
    compare.equal("tie", decode::ctcGreedy(even_BTV, torch::ones({ 1 }), -1),
        test.finding("tie_argmax_blank_last").whole());
    const std::vector<Finding> best = test.finding("filter_in").items();
    const std::vector<Finding> expected = test.finding("filter_blank0").items();
    for (size_t i = 0; i < best.size(); ++i)
        compare.equal("filtered " + best[i].key(), filtered(best[i].as<std::vector<int64_t>>()),
            expected.at(i).whole());
}

} // namespace

Runners searchRunners()
{
    const std::string ctc = "speechbrain.decoders.ctc.";
    return { { ctc + "CTCBeamSearcher", runCtcBeam<decode::ctcBeamSearch> },
        { ctc + "CTCPrefixBeamSearcher", runCtcBeam<decode::ctcPrefixBeamSearch> },
        { ctc + "{ctc_greedy_decode,filter_ctc_output}", runCtcGreedy } };
}

} // namespace earwright::tests
