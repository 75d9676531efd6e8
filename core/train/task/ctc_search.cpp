#include "core/train/task/ctc_search.h"

#include "core/base/code_point.h"
#include "core/base/file.h"
#include "core/base/keys.h"
#include "core/base/unspaced.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/decode/ngram_fit.h"
#include "core/distributed/pulse.h"
#include "core/model/layer_table.h"
#include "core/model/masks.h"
#include "core/train/task/hotword_list.h"

#include <algorithm>
#include <ATen/Parallel.h>
#include <iterator>
#include <map>

namespace earwright::train {

namespace {

/// Of each thread. A wide search of a large batch may take longer than a rank may go on without a
/// sign of life.
constexpr int64_t kRowsAtOnce = 4;

const std::string kBeamSearcher = "speechbrain.decoders.ctc.CTCBeamSearcher";

const std::map<std::string, decode::CtcSearch>& searches()
{
    static const std::map<std::string, decode::CtcSearch> kTable = {
        { kBeamSearcher, decode::ctcBeamSearch },
        { "speechbrain.decoders.ctc.CTCPrefixBeamSearcher", decode::ctcPrefixBeamSearch },
    };
    return kTable;
}

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

/// What each output spells. SentencePiece's unknown piece is written as the best path writes it.
std::vector<std::string> spellingsOf(const data::TextEncoder& encoder)
{
    std::vector<std::string> labels = encoder.searchLabels();
    const data::Vocabulary vocabulary = encoder.vocabulary();
    if (vocabulary.kind == data::Vocabulary::Kind::Pieces && vocabulary.unknown)
        labels[static_cast<size_t>(*vocabulary.unknown)] = encoder.decode({ *vocabulary.unknown });
    return labels;
}

bool isMarked(const decode::CtcVocabulary& words)
{
    for (int32_t token = 0; token < words.size(); ++token) {
        if (words[token].role == decode::TokenRole::WordStart)
            return true;
    }
    return false;
}

/// No piece is longer than a character, and words of several are made of them. A mark before a
/// letter of a script with blanks may be the only one between two words.
bool arePiecesCharacters(const decode::CtcVocabulary& words, const std::set<int64_t>& special)
{
    bool goOn = false;
    for (int32_t token = 0; token < words.size(); ++token) {
        const decode::CtcToken& output = words[token];
        const bool isStart = output.role == decode::TokenRole::WordStart;
        if (output.role == decode::TokenRole::Blank || special.contains(token))
            continue;
        if (output.length > 1
            || (isStart && output.length == 1 && !isUnspaced(codeOf(output.piece))))
            return false;
        goOn |= !isStart;
    }
    return goOn;
}

/// SentencePieces' mark before a word tells where words begin; a label of a blank only where words
/// are not written without. Marked pieces of single ideographs can be either, as the n-gram has it.
bool areCharacters(const decode::CtcVocabulary& words, const std::set<int64_t>& special,
    const decode::NgramModel* ngram)
{
    if (!words.hasBlanks())
        return true;
    if (!words.isUnspaced())
        return false;
    if (!isMarked(words))
        return !ngram || ngram->isOfCharacters();
    return ngram && ngram->isOfCharacters() && arePiecesCharacters(words, special);
}

/// The labels as the search is to read them: with an n-gram one character is a word, not one text.
Result<decode::CtcVocabulary> vocabularyOf(const data::TextEncoder& encoder, int64_t blankIndex,
    decode::CtcSearch search, const decode::NgramModel* ngram)
{
    if (encoder.hasSegDict())
        return Error {
            "a beam search cannot tell words by the tokens of a seg_dict, which only say "
            "where one goes on: decode without one"
        };
    const std::vector<std::string> labels = spellingsOf(encoder);
    decode::CtcVocabulary words(labels, blankIndex);
    if (!areCharacters(words, encoder.vocabulary().special, ngram))
        return words;
    if (search == decode::ctcBeamSearch)
        return decode::CtcVocabulary::ofCharacters(labels, blankIndex);
    if (ngram)
        return Error { "to CTCPrefixBeamSearcher a text without blanks is one word, which no "
                       "language model knows: take CTCBeamSearcher, to which each character is "
                       "one" };
    return words;
}

/// Null where there is none.
Result<std::shared_ptr<const decode::NgramModel>> ngramOf(const CtcSearchOptions& options)
{
    if (options.languageModel.empty())
        return std::shared_ptr<const decode::NgramModel>();
    return decode::NgramModel::open(options.languageModel);
}

} // namespace

std::vector<std::string> ctcSearchClasses()
{
    return keysOf(searches());
}

Result<std::optional<CtcSearchOptions>> testSearchOf(const recipe::Node& recipe, int64_t blankIndex)
{
    const recipe::NodePtr node = recipe::find(recipe, "test_beam_search");
    if (!node || recipe::isNull(*node))
        return std::optional<CtcSearchOptions>();
    const std::string name = node->tag.empty() ? kBeamSearcher : model::classOf(node, "");
    const auto search = searches().find(name);
    if (node->kind != recipe::Kind::Mapping || search == searches().end())
        return at(*node,
            "it takes the arguments of " + kBeamSearcher
                + ", or a !name: of it or of CTCPrefixBeamSearcher");
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
    options.search = search->second;
    return std::optional(std::move(options));
}

Result<std::vector<decode::Hotword>> searchedHotwords(const recipe::Node& recipe)
{
    const auto phrases = recipeHotwords(recipe);
    if (!phrases)
        return phrases.error();
    const recipe::NodePtr key = recipe::find(recipe, "hotword");
    if (!phrases->empty() && key->kind == recipe::Kind::Scalar && isFile(recipe::asString(*key)))
        return decode::readHotwords(recipe::asString(*key), decode::kUsualHotwordWeight);
    std::vector<decode::Hotword> hotwords;
    for (const std::string& phrase : *phrases)
        hotwords.push_back({ phrase, decode::kUsualHotwordWeight });
    return hotwords;
}

Result<CtcSearcher> CtcSearcher::open(const CtcSearchOptions& options,
    const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
    int64_t blankIndex)
{
    const auto ngram = ngramOf(options);
    if (!ngram)
        return ngram.error();
    auto vocabulary = vocabularyOf(encoder, blankIndex, options.search, ngram->get());
    if (!vocabulary)
        return vocabulary.error();
    CtcSearcher searcher(options.search,
        { .vocabulary = std::move(*vocabulary),
            .options = options.beams,
            .scorer = nullptr,
            .hotwords = nullptr });
    if (*ngram)
        searcher.take(*ngram, options);
    if (!hotwords.empty())
        if (const Status ready = searcher.listenFor(hotwords); !ready)
            return ready.error();
    return searcher;
}

Result<CtcSearcher> CtcSearcher::openForTest(const CtcSearchOptions& options,
    const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
    int64_t blankIndex)
{
    Result<CtcSearcher> searcher = open(options, {}, encoder, blankIndex);
    if (!searcher)
        return searcher;
    if (encoder.size() <= 2)
        searcher->m_warning.clear();
    else if (!hotwords.empty())
        if (const Status heard = searcher->listenFor(hotwords); !heard)
            searcher->warn(heard.error().message);
    return searcher;
}

void CtcSearcher::warn(const std::string& text)
{
    m_warning += (m_warning.empty() || text.empty() ? "" : "; ") + text;
}

void CtcSearcher::take(
    const std::shared_ptr<const decode::NgramModel>& ngram, const CtcSearchOptions& options)
{
    m_setting.scorer = std::make_shared<decode::NgramScorer>(ngram, options.weights);
    if (const std::string misfit = decode::ngramMisfit(*ngram, m_setting.vocabulary);
        !misfit.empty())
        warn("'" + options.languageModel.string() + "' " + misfit);
}

Status CtcSearcher::listenFor(const std::vector<decode::Hotword>& hotwords)
{
    Result<decode::Hotwords> known = decode::Hotwords::make(hotwords, m_setting.vocabulary);
    if (!known)
        return known.error();
    warn(leftOutText(known->leftOut()) + known->hint());
    m_setting.hotwords = std::make_shared<decode::Hotwords>(std::move(*known));
    return Done {};
}

std::vector<std::vector<decode::CtcHypothesis>> CtcSearcher::search(
    const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const
{
    std::vector<std::vector<decode::CtcHypothesis>> found;
    const int64_t step = kRowsAtOnce * at::get_num_threads();
    for (int64_t row = 0; row < logProbs_BTV.size(0); row += step) {
        const distributed::Pulse::WithoutOperators searching;
        const int64_t rows = std::min(step, logProbs_BTV.size(0) - row);
        auto some = decode::searchBatch(m_run, m_setting, logProbs_BTV.narrow(0, row, rows),
            lengths_B.defined() ? lengths_B.narrow(0, row, rows) : lengths_B, model::frameCounts);
        std::move(some.begin(), some.end(), std::back_inserter(found));
    }
    return found;
}

std::vector<std::string> CtcSearcher::texts(
    const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const
{
    std::vector<std::string> texts;
    for (std::vector<decode::CtcHypothesis>& row : search(logProbs_BTV, lengths_B))
        texts.push_back(row.empty() ? "" : std::move(row.front().text));
    return texts;
}

} // namespace earwright::train
