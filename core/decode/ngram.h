#pragma once

#include "core/base/result.h"
#include "core/decode/hash_set.h"
#include "core/decode/text_hash.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace earwright::decode {

/// The words that an n-gram model remembers. Plain bytes: as many of them are kept as a beam has
/// words.
struct NgramState {
    alignas(8) std::array<std::byte, 48> bytes {};
};

/// An n-gram model that KenLM reads: ARPA, also by gzip, or its binary form. Safe from any thread.
class NgramModel final {
public:
    /// Errors name the file: not there, no model, a model without the strings of its words, an
    /// order beyond KenLM's, a damaged one. All of it is checked first (check/ngram): whoever made
    /// the file, no search in it leaves it or goes on for ever.
    static Result<std::shared_ptr<const NgramModel>> open(const std::filesystem::path& path);
    ~NgramModel();
    NgramModel(const NgramModel&) = delete;
    NgramModel& operator=(const NgramModel&) = delete;

    int order() const;
    NgramState start(bool atSentenceStart) const;
    /// log10 of a word's probability behind `from`; `to` is the state behind it.
    float score(const NgramState& from, std::string_view word, NgramState& to) const;

    /// Whether a word, or a word that begins so, is in the vocabulary; <unk> is none.
    bool hasWord(TextHash word) const { return m_words.contains(word.value); }
    bool hasPrefix(TextHash prefix) const { return m_prefixes.contains(prefix.value); }
    size_t wordCount() const { return m_words.size(); }
    /// Words without <s>, </s> and <unk>, and those of them that are a single letter with its
    /// marks: all in the models of `earwright lm --characters`.
    size_t realWordCount() const { return m_realWords; }
    size_t characterCount() const { return m_characters; }
    /// Most of them are: texts without blanks, or a blank between all characters.
    bool isOfCharacters() const { return 2 * m_characters >= m_realWords; }
    /// How many real words begin with this code point.
    size_t wordsBeginningWith(const std::string& point) const;

private:
    struct Loaded;
    struct Vocabulary;
    NgramModel() = default;

    std::unique_ptr<const Loaded> m_loaded;
    HashSet m_words;
    HashSet m_prefixes;
    size_t m_realWords = 0;
    size_t m_characters = 0;
    std::unordered_map<std::string, size_t> m_beginnings; ///< real words by their first code point
};

/// Writes KenLM's binary form (probing hash tables) of an ARPA file that can be opened: it loads
/// without being parsed, and a checksum tells whether it is as it was written. The file appears
/// whole or not at all.
Status writeBinaryNgram(const std::filesystem::path& arpa, const std::filesystem::path& binary);

struct NgramWeights {
    double alpha = 0.5; ///< of the model's log probability
    double beta = 1.5; ///< nats for each word
    double unknownOffset = -10.0; ///< log10 for a word out of the vocabulary
    bool scoreBoundary = true; ///< the first word follows <s>
};

/// speechbrain.integrations.decoders.kenlm_scorer.KenlmScorer: what a word, or the beginning of
/// one, adds to a beam in nats. Known words are those of the model; upstream takes them from an
/// ARPA file alone, and there only those with a back-off weight, which lmplz gives to all. A word
/// that is a blank (of CtcVocabulary::ofCharacters()) is none, to the model: it costs nothing.
class NgramScorer final {
public:
    NgramScorer(std::shared_ptr<const NgramModel> model, const NgramWeights& weights)
        : m_model(std::move(model))
        , m_weights(weights)
    {
    }
    int order() const { return m_model->order(); }
    NgramState start() const { return m_model->start(m_weights.scoreBoundary); }
    double word(const NgramState& from, std::string_view word, TextHash hash, NgramState& to) const;
    /// Of an unfinished word of `length` code points, at least one: nothing while some word begins
    /// so.
    double prefix(TextHash hash, int32_t length) const;

private:
    std::shared_ptr<const NgramModel> m_model;
    NgramWeights m_weights;
};

} // namespace earwright::decode
