#include "core/train/ctc_search.h"

#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/model/layer_table.h"

namespace kymo::train {

namespace {

const std::string kClasses = "speechbrain.decoders.ctc.";

Error at(const recipe::Node& node, const std::string& words)
{
    return Error { node.span.file + ":" + std::to_string(node.span.begin.line)
        + ": test_beam_search: " + words };
}

CtcSearchOptions optionsOf(const catalog::CtcBeamSearcherConfig& config)
{
    return { .search = decode::ctcBeamSearch,
        .beams = { .beamSize = config.beamSize,
            .beamPruneLogp = config.beamPruneLogp,
            .tokenPruneMinLogp = config.tokenPruneMinLogp,
            .pruneHistory = config.pruneHistory,
            .blankSkipThreshold = config.blankSkipThreshold },
        .languageModel = config.kenlmModelPath.value_or(""),
        .weights = { .alpha = config.alpha,
            .beta = config.beta,
            .unknownOffset = config.unkScoreOffset,
            .scoreBoundary = config.scoreBoundary } };
}

/// Where no label is a blank, each character is a word: to an n-gram one text is not one word.
decode::CtcVocabulary vocabularyOf(const std::vector<std::string>& labels, int64_t blankIndex)
{
    const decode::CtcVocabulary words(labels, blankIndex);
    return words.hasBlanks() ? words : decode::CtcVocabulary::ofCharacters(labels, blankIndex);
}

} // namespace

Result<std::optional<CtcSearchOptions>> testSearchOf(const recipe::Node& recipe, int64_t blankIndex)
{
    const recipe::NodePtr node = recipe::find(recipe, "test_beam_search");
    if (!node || recipe::isNull(*node))
        return std::optional<CtcSearchOptions>();
    const std::string name
        = node->tag.empty() ? kClasses + "CTCBeamSearcher" : model::classOf(node, "");
    const bool isPrefix = name == kClasses + "CTCPrefixBeamSearcher";
    if (node->kind != recipe::Kind::Mapping || (!isPrefix && name != kClasses + "CTCBeamSearcher"))
        return at(*node,
            "it takes the arguments of " + kClasses
                + "CTCBeamSearcher, or a !name: of it or of CTCPrefixBeamSearcher");
    std::vector<recipe::Diagnostic> diagnostics;
    recipe::Node named = *node;
    named.tag = "!name:" + name; // what is not given is the task's to give
    const auto config = catalog::readConfig<catalog::CtcBeamSearcherConfig>(named, diagnostics);
    if (!diagnostics.empty())
        return at(*node, diagnostics.front().message);
    if (recipe::find(*node, "blank_index") && config.blankIndex != blankIndex)
        return at(*node,
            "blank_index is " + std::to_string(config.blankIndex) + ", that of ctc_cost "
                + std::to_string(blankIndex));
    CtcSearchOptions options = optionsOf(config);
    if (isPrefix)
        options.search = decode::ctcPrefixBeamSearch;
    return std::optional(std::move(options));
}

Result<CtcSearcher> CtcSearcher::open(const CtcSearchOptions& options,
    const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
    int64_t blankIndex)
{
    decode::CtcSearchSetting setting { .vocabulary
        = vocabularyOf(encoder.searchLabels(), blankIndex),
        .options = options.beams,
        .scorer = nullptr,
        .hotwords = nullptr };
    std::string warning;
    if (!options.languageModel.empty()) {
        const auto model = decode::NgramModel::open(options.languageModel);
        if (!model)
            return model.error();
        setting.scorer = std::make_shared<decode::NgramScorer>(*model, options.weights);
        if ((*model)->isOfCharacters() && setting.vocabulary.hasBlanks())
            warning = "'" + options.languageModel.string()
                + "' knows no word longer than a letter, as `kymo lm --characters` makes it, and "
                  "this model writes words: make it without --characters";
    }
    if (!hotwords.empty()) {
        Result<decode::Hotwords> known = decode::Hotwords::make(hotwords, setting.vocabulary);
        if (!known)
            return known.error();
        setting.hotwords = std::make_shared<decode::Hotwords>(std::move(*known));
    }
    CtcSearcher searcher(options.search, std::move(setting));
    searcher.m_warning = std::move(warning);
    return searcher;
}

std::vector<std::vector<decode::CtcHypothesis>> CtcSearcher::search(
    const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const
{
    auto rows = decode::searchBatch(m_run, m_setting, logProbs_BTV, lengths_B);
    for (std::vector<decode::CtcHypothesis>& row : rows) {
        if (row.empty()) // not a number somewhere
            row.emplace_back();
    }
    return rows;
}

std::vector<std::string> CtcSearcher::texts(
    const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const
{
    std::vector<std::string> texts;
    for (std::vector<decode::CtcHypothesis>& row : search(logProbs_BTV, lengths_B))
        texts.push_back(std::move(row.front().text));
    return texts;
}

} // namespace kymo::train
