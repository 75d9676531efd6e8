#pragma once

#include "core/data/whisper_tokens.h"
#include "core/model/whisper/whisper.h"
#include "core/train/task/attention_search.h"

namespace earwright::train {

/// Whisper as a task runs it: the model, and the tokens of its folder.
struct SpokenWhisper {
    std::shared_ptr<model::Whisper> model;
    data::BytePairs pairs;
    data::WhisperTokens tokens;
    std::vector<int64_t> prefix; ///< what a text begins with: data::prefixTokens()

    /// Tokens that the decoder may be given, what begins a text among them.
    int64_t places() const { return model->sizes().decoder.positions; }
};

/// A `valid_search` or `test_search` of Whisper: S2SWhisperGreedySearcher or
/// S2SWhisperBeamSearcher.
class WhisperTextSearch final {
public:
    /// Errors: what AttentionSearch::from() says, another class of search, a token that the
    /// vocabulary has not, a scorer of other tokens, a prompt or a prefix for which the decoder has
    /// no place.
    static Result<WhisperTextSearch> from(
        const recipe::Node& recipe, const recipe::Entry& search, const SpokenWhisper& whisper);

    // As AttentionSearch has them:
    Status load(LanguageModels& loaded) { return m_search.load(loaded); }
    bool isGreedy() const { return m_search.isGreedy(); }
    void keep(int64_t topk, std::optional<int64_t> beamSize) { m_search.keep(topk, beamSize); }

    /// Each text goes on behind the search's `prefix`.
    bool hasPrefix() const { return !m_search.setting().whisper->prefix.isEmpty(); }
    /// Of each row, what comes behind all that the decoder was told. encoder_BTD: of
    /// Whisper::encode(), which lengths change nothing of.
    decode::S2SHypotheses search(
        const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const;
    /// The best of each row with time stamps among its tokens, without the end. Not told
    /// <|notimestamps|>, by the rules of decode::TimestampDecoder. Of a search without a prefix.
    std::vector<std::vector<int64_t>> timedTokens(const torch::Tensor& encoder_BTD) const;

private:
    explicit WhisperTextSearch(AttentionSearch search)
        : m_search(std::move(search))
    {
    }
    Status prepare(const SpokenWhisper& whisper);

    AttentionSearch m_search;
    std::shared_ptr<model::Whisper> m_model;
    data::WhisperTokens m_tokens;
    std::vector<int64_t> m_told; ///< before the first token; the last of it begins the search
    std::vector<int64_t> m_toldTimed; ///< the same where time stamps are asked for
    std::vector<int64_t> m_never, m_neverFirst; ///< tokens that are suppressed
};

} // namespace earwright::train
