#include "core/data/tokenizer_codecs.h"

#include "core/base/cjk.h"
#include "core/base/text.h"
#include "core/data/whisper_normalizer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace earwright::data {

PieceCodec::PieceCodec(SentencePiece model, const settings::SpecialLabels& special)
    : m_model(std::move(model))
    , m_blankIndex(special.blank)
    , m_bosIndex(special.bos.value_or(-1))
    , m_eosIndex(special.eos.value_or(-1))
{
}

std::optional<int64_t> PieceCodec::indexOf(const std::string& label) const
{
    return m_model.indexOf(label);
}

/// To the CTC loss a blank inside a text is no token: upstream, whose unk_id is the blank, trains
/// on it all the same. A piece that the recipe takes for the blank is told once, by the check.
Result<std::vector<int64_t>> PieceCodec::encode(const std::string& text) const
{
    std::vector<int64_t> tokens = m_model.encode(text);
    if (std::find(tokens.begin(), tokens.end(), m_blankIndex) == tokens.end())
        return tokens;
    const std::vector<std::string> unknown = m_model.unknownParts(text);
    if (unknown.empty())
        return tokens;
    return Error { "the tokenizer has no piece for '" + join(unknown, "', '")
        + "', and its unk_id is the blank; raise character_coverage, or set pad_id to the blank's "
          "index and unk_id to another one" };
}

Result<TextCodec::Cuts> PieceCodec::encodePhrase(const std::string& phrase) const
{
    const Result<std::vector<int64_t>> tokens = encode(phrase);
    if (!tokens)
        return tokens.error();
    const bool hasUnknown = unknownIndex() >= 0
        && std::find(tokens->begin(), tokens->end(), unknownIndex()) != tokens->end();
    if (tokens->empty() || hasUnknown || !isIdeograph(codePoints(phrase).front()))
        return Cuts { *tokens };
    const std::vector<int64_t> inside = m_model.encodeInside(phrase);
    // The mark as a piece of its own: who finds the rest finds both.
    const bool isPart = std::search(tokens->begin(), tokens->end(), inside.begin(), inside.end())
        != tokens->end();
    return isPart ? Cuts { inside } : Cuts { *tokens, inside };
}

std::string PieceCodec::decode(const std::vector<int64_t>& tokens) const
{
    const int64_t size = std::ssize(labels());
    std::vector<int64_t> spelt;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(spelt), [&](int64_t token) {
        return token >= 0 && token < size && token != m_bosIndex && token != m_eosIndex;
    });
    return m_model.decode(spelt);
}

BytePairCodec::BytePairCodec(BytePairs pairs)
    : m_pairs(std::move(pairs))
{
}

void BytePairCodec::normalize(bool areTargets)
{
    m_isNormalized = true;
    m_areTargetsNormalized = areTargets;
}

std::string BytePairCodec::normalized(const std::string& text) const
{
    return m_isNormalized ? normalizedEnglish(text, m_pairs.spellings()) : text;
}

std::optional<int64_t> BytePairCodec::indexOf(const std::string& label) const
{
    return m_pairs.indexOf(label);
}

Result<std::vector<int64_t>> BytePairCodec::encode(const std::string& text) const
{
    return m_pairs.encode(m_areTargetsNormalized ? normalized(text) : text);
}

std::string BytePairCodec::decode(const std::vector<int64_t>& tokens) const
{
    return m_pairs.decode(tokens);
}

WordPieceCodec::WordPieceCodec(WordPieces pieces, const settings::SpecialLabels& special)
    : m_pieces(std::move(pieces))
    , m_blankIndex(special.blank)
    , m_unknownIndex(m_pieces.vocabulary().unknown.value_or(-1))
{
}

std::optional<int64_t> WordPieceCodec::indexOf(const std::string& label) const
{
    return m_pieces.indexOf(label);
}

Result<std::vector<int64_t>> WordPieceCodec::encode(const std::string& text) const
{
    return m_pieces.encode(asWritten(text));
}

std::string WordPieceCodec::decode(const std::vector<int64_t>& tokens) const
{
    return m_pieces.decode(tokens);
}

std::string WordPieceCodec::asWritten(const std::string& text) const
{
    return join(split(text, ' '), "");
}

} // namespace earwright::data
