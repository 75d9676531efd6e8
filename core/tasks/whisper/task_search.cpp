#include "core/tasks/whisper/task_search.h"

#include "core/decode/suppressing_decoder.h"
#include "core/decode/timestamp_decoder.h"
#include "core/decode/whisper_decoder.h"

#include <algorithm>

namespace earwright::train {

namespace {

using settings::ToldText;
using TokenList = std::vector<int64_t>;

TokenList toldTokens(const ToldText& told, const data::BytePairs& pairs)
{
    return told.text.empty() ? told.tokens : pairs.encode(" " + told.text);
}

/// As Python's `tokens[-count:]`, which keeps all where count is 0.
TokenList lastOf(TokenList tokens, int64_t count)
{
    if (count > 0 && count < std::ssize(tokens))
        tokens.erase(tokens.begin(), tokens.end() - count);
    return tokens;
}

/// The prompt, what every text begins with, and the prefix. Source: _get_initial_tokens() of
/// speechbrain/decoders/seq2seq.py.
Result<TokenList> toldBefore(
    const settings::WhisperSearchSetting& setting, const SpokenWhisper& whisper)
{
    const int64_t half = whisper.places() / 2;
    TokenList told;
    if (!setting.prompt.isEmpty()) {
        told = lastOf(toldTokens(setting.prompt, whisper.pairs), half - 1);
        told.insert(told.begin(), whisper.tokens.startOfPrev);
    }
    told.insert(told.end(), whisper.prefix.begin(), whisper.prefix.end());
    if (!setting.prefix.isEmpty()) {
        const int64_t left = half - setting.sampleLen.value_or(half);
        if (left < 0)
            return Error { "'sample_len' leaves no place for 'prefix': it must be "
                + std::to_string(half) + " at most" };
        const TokenList prefix = lastOf(toldTokens(setting.prefix, whisper.pairs), left);
        told.insert(told.end(), prefix.begin(), prefix.end());
    }
    return told;
}

/// What comes before the token that begins the search.
torch::Tensor promptOf(const TokenList& told)
{
    return torch::tensor(TokenList(told.begin(), told.end() - 1), torch::kInt64);
}

Status areOfVocabulary(const TokenList& tokens, const model::WhisperSizes& sizes)
{
    for (const int64_t token : tokens)
        if (token < 0 || token >= sizes.vocabulary)
            return Error { "token " + std::to_string(token) + " is none of Whisper's "
                + std::to_string(sizes.vocabulary) };
    return Done {};
}

/// The vocabulary is in no recipe, where the check could compare.
Status scoreItsTokens(const settings::SearchSetting& setting, int64_t vocabulary)
{
    const auto refusal = [&](const char* what, int64_t own) {
        return Error { std::string(what) + " of a scorer scores " + std::to_string(own)
            + " tokens, but Whisper has " + std::to_string(vocabulary)
            + ": both must be the same tokens" };
    };
    for (const settings::LanguageModelSetting& one : setting.languageModels)
        if (one.outputs > 0 && one.outputs != vocabulary)
            return refusal("the language model", one.outputs);
    const int64_t spelt = setting.ngram ? std::ssize(setting.ngram->tokens) : 0;
    if (spelt > 0 && spelt != vocabulary)
        return refusal("the n-gram", spelt);
    return Done {};
}

} // namespace

Result<WhisperTextSearch> WhisperTextSearch::from(
    const recipe::Node& recipe, const recipe::Entry& search, const SpokenWhisper& whisper)
{
    Result<AttentionSearch> read = AttentionSearch::from(recipe, search, {});
    if (!read)
        return read.error();
    WhisperTextSearch made(std::move(*read));
    if (const Status ready = made.prepare(whisper); !ready)
        return ready.error();
    return made;
}

Status WhisperTextSearch::prepare(const SpokenWhisper& whisper)
{
    const std::optional<settings::WhisperSearchSetting>& setting = m_search.setting().whisper;
    if (!setting)
        return Error {
            "Whisper is searched by S2SWhisperBeamSearcher or S2SWhisperGreedySearcher"
        };
    if (const Status fits = scoreItsTokens(m_search.setting(), whisper.model->sizes().vocabulary);
        !fits)
        return fits;
    Result<TokenList> told = toldBefore(*setting, whisper);
    if (!told)
        return told.error();
    m_model = whisper.model;
    m_tokens = whisper.tokens;
    m_told = std::move(*told);
    m_toldTimed = m_told;
    std::erase(m_toldTimed, m_tokens.noTimestamps);
    m_never = data::suppressedTokens(whisper.pairs, whisper.tokens, setting->suppressTokens);
    if (setting->suppressBlank)
        m_neverFirst = data::blankTokens(whisper.pairs, whisper.tokens);
    for (const TokenList* tokens : { &m_told, &m_never, &m_neverFirst })
        if (const Status known = areOfVocabulary(*tokens, m_model->sizes()); !known)
            return known;
    const int64_t length = std::ssize(m_told);
    // Upstream's greedy search counts what it was told among what it has said.
    const int64_t most = whisper.places() - (isGreedy() ? 2 * length - 1 : length);
    if (most < 1)
        return Error { "the decoder is told " + std::to_string(length)
            + " tokens before a text, and has places for " + std::to_string(whisper.places())
            + ": shorten 'prompt' or 'prefix'" };
    m_search.setTokens(
        { .bosIndex = m_told.back(), .eosIndex = whisper.tokens.endOfText, .most = most });
    return Done {};
}

decode::S2SHypotheses WhisperTextSearch::search(
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    decode::WhisperStepDecoder decoder(m_model);
    decoder.setPrompt(promptOf(m_told));
    decode::SuppressingDecoder speaking(decoder, m_never, m_neverFirst);
    return m_search.search(speaking, encoder_BTD, lengths_B);
}

/// As many tokens as there are places for, as `transformers`.
std::vector<std::vector<int64_t>> WhisperTextSearch::timedTokens(
    const torch::Tensor& encoder_BTD) const
{
    decode::WhisperStepDecoder decoder(m_model);
    decoder.setPrompt(promptOf(m_toldTimed));
    decode::SuppressingDecoder speaking(decoder, m_never, m_neverFirst);
    decode::TimestampDecoder timed(speaking, m_tokens);
    AttentionSearch search = m_search;
    search.setTokens({ .bosIndex = m_toldTimed.back(),
        .eosIndex = m_tokens.endOfText,
        .most = m_model->sizes().decoder.positions - std::ssize(m_toldTimed) });
    return search.search(timed, encoder_BTD, torch::ones({ encoder_BTD.size(0) })).best();
}

} // namespace earwright::train
