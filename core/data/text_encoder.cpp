#include "core/data/text_encoder.h"

#include "core/base/cjk.h"
#include "core/base/text.h"
#include "core/data/python_literal.h"
#include "core/data/whisper_normalizer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kUnknown = "<unk>";
constexpr const char* kUnknownCharacter = "⁇"; // one error, where "<unk>" would be five

} // namespace

TextEncoder TextEncoder::fromTexts(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromUnits(texts, special, Unit::Character, special.addUnk);
}

TextEncoder TextEncoder::fromWords(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromUnits(texts, special, Unit::Word, true);
}

TextEncoder TextEncoder::fromPhones(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromUnits(texts, special, Unit::Word, special.addUnk);
}

TextEncoder TextEncoder::fromUnits(const std::vector<std::string>& texts,
    const settings::SpecialLabels& special, Unit unit, bool hasUnknown)
{
    TextEncoder encoder;
    encoder.m_unit = unit;
    std::set<std::string> seen;
    if (hasUnknown)
        encoder.m_labels.emplace_back(*seen.insert(kUnknown).first);
    for (const std::string& text : texts) {
        for (std::string& label : encoder.unitsOf(text)) {
            if (seen.insert(label).second)
                encoder.m_labels.push_back(std::move(label));
        }
    }
    encoder.insertSpecial(special);
    for (int64_t i = 0; i < encoder.size(); ++i) {
        encoder.m_indexOf[encoder.m_labels[static_cast<size_t>(i)]] = i;
        if (i != encoder.m_blankIndex && !encoder.isBoundary(i))
            encoder.m_fileOrder.push_back(i);
    }
    if (hasUnknown) {
        encoder.m_unknownIndex = encoder.m_indexOf[kUnknown];
        encoder.m_extras.emplace_back("unk_label", pythonRepr(kUnknown));
    }
    if (unit == Unit::Word)
        encoder.m_extras.emplace_back(kTokenTypeExtra, pythonRepr("word"));
    return encoder;
}

std::optional<int64_t> TextEncoder::indexOf(const std::string& label) const
{
    if (m_pieces)
        return m_pieces->indexOf(label);
    if (m_bytePairs)
        return m_bytePairs->indexOf(label);
    const auto at = m_indexOf.find(label);
    return at == m_indexOf.end() ? std::nullopt : std::optional(at->second);
}

void TextEncoder::cutAtBlanks()
{
    if (!isOfWords())
        m_extras.emplace_back(kTokenTypeExtra, pythonRepr("word"));
    m_unit = Unit::Word;
}

void TextEncoder::addLabels(const std::vector<std::string>& texts)
{
    if (m_segDict || m_bytePairs)
        return;
    for (const std::string& text : texts) {
        for (std::string& label : unitsOf(text)) {
            if (!m_indexOf.emplace(label, size()).second)
                continue;
            m_fileOrder.push_back(size());
            m_labels.push_back(std::move(label));
        }
    }
}

Result<TextEncoder> TextEncoder::fromPieces(
    SentencePiece model, const settings::SpecialLabels& special)
{
    TextEncoder encoder;
    encoder.m_labels = model.pieces();
    for (const LabelConflict& conflict : labelConflicts(model.vocabulary(), special))
        if (conflict.isUnusable)
            return Error { conflict.message };
    encoder.m_blankIndex = special.blank;
    encoder.m_bosIndex = special.bos.value_or(-1);
    encoder.m_eosIndex = special.eos.value_or(-1);
    encoder.m_unknownIndex = model.unknownIndex();
    encoder.m_pieces = std::move(model);
    return encoder;
}

TextEncoder TextEncoder::fromBytePairs(BytePairs pairs)
{
    TextEncoder encoder;
    encoder.m_labels = pairs.tokens();
    encoder.m_blankIndex = -1;
    encoder.m_bytePairs = std::move(pairs);
    return encoder;
}

void TextEncoder::normalize(bool areTargets)
{
    m_isNormalized = m_bytePairs.has_value();
    m_areTargetsNormalized = m_isNormalized && areTargets;
}

std::string TextEncoder::normalized(const std::string& text) const
{
    return m_isNormalized ? normalizedEnglish(text, m_bytePairs->spellings()) : text;
}

std::vector<std::string> TextEncoder::unitsOf(const std::string& text) const
{
    if (m_segDict)
        return m_segDict->cut(text);
    if (m_unit == Unit::Character)
        return codePoints(text);
    return splitAtBlanks(text);
}

/// Upstream inserts the special labels first, and its file begins with them.
void TextEncoder::insertSpecial(const settings::SpecialLabels& special)
{
    std::map<int64_t, std::string> wanted { { special.blank, kBlankLabel } };
    if (special.bos)
        wanted.emplace(*special.bos, special.bosLabel);
    if (special.eos)
        wanted.emplace(*special.eos, special.eosLabel);
    std::map<int64_t, int64_t> given;
    for (const auto& [index, label] : wanted) {
        given[index] = std::clamp<int64_t>(index, 0, size());
        m_labels.insert(m_labels.begin() + given[index], label);
    }
    m_blankIndex = given[special.blank];
    m_bosIndex = special.bos ? given[*special.bos] : -1;
    m_eosIndex = special.eos ? given[*special.eos] : -1;
    const auto note = [this](const char* extra, int64_t index) {
        if (index < 0)
            return;
        m_extras.emplace_back(extra, pythonRepr(m_labels[static_cast<size_t>(index)]));
        if (std::find(m_fileOrder.begin(), m_fileOrder.end(), index) == m_fileOrder.end())
            m_fileOrder.push_back(index);
    };
    m_fileOrder.push_back(m_blankIndex);
    m_extras.emplace_back("starting_index", "0");
    note("bos_label", m_bosIndex);
    note("eos_label", m_eosIndex);
    note("blank_label", m_blankIndex);
}

bool TextEncoder::isBoundary(int64_t token) const
{
    return token == m_bosIndex || token == m_eosIndex;
}

Result<std::vector<int64_t>> TextEncoder::encode(const std::string& text) const
{
    if (m_pieces)
        return encodePieces(text);
    if (m_bytePairs)
        return m_bytePairs->encode(m_areTargetsNormalized ? normalized(text) : text);
    std::vector<int64_t> tokens;
    for (const std::string& unit : unitsOf(text)) {
        const auto at = m_indexOf.find(unit);
        if (at == m_indexOf.end() && m_unknownIndex < 0)
            return notKnown(unit, text);
        tokens.push_back(at == m_indexOf.end() ? m_unknownIndex : at->second);
    }
    return tokens;
}

Error TextEncoder::notKnown(const std::string& unit, const std::string& text) const
{
    if (m_segDict && unit == SegDict::kUnknown)
        return Error { "the seg_dict has no tokens for the word '" + m_segDict->unknownWord(text)
            + "', and the token list no " + SegDict::kUnknown };
    return Error { std::string("the ") + (m_unit == Unit::Word ? "word '" : "character '") + unit
        + "' is not in the label encoder" };
}

/// To the CTC loss a blank inside a text is no token: upstream, whose unk_id is the blank, trains
/// on it all the same. A piece that the recipe takes for the blank is told once, by the check.
Result<std::vector<int64_t>> TextEncoder::encodePieces(const std::string& text) const
{
    std::vector<int64_t> tokens = m_pieces->encode(text);
    if (std::find(tokens.begin(), tokens.end(), m_blankIndex) == tokens.end())
        return tokens;
    const std::vector<std::string> unknown = m_pieces->unknownParts(text);
    if (unknown.empty())
        return tokens;
    return Error { "the tokenizer has no piece for '" + join(unknown, "', '")
        + "', and its unk_id is the blank; raise character_coverage, or set pad_id to the blank's "
          "index and unk_id to another one" };
}

Result<TextEncoder::Cuts> TextEncoder::encodePhrase(const std::string& phrase) const
{
    const Result<std::vector<int64_t>> tokens = encode(phrase);
    if (!tokens)
        return tokens.error();
    if (!m_pieces || tokens->empty() || hasUnknown(*tokens)
        || !isIdeograph(codePoints(phrase).front()))
        return Cuts { *tokens };
    const std::vector<int64_t> inside = m_pieces->encodeInside(phrase);
    // The mark as a piece of its own: who finds the rest finds both.
    const bool isPart = std::search(tokens->begin(), tokens->end(), inside.begin(), inside.end())
        != tokens->end();
    return isPart ? Cuts { inside } : Cuts { *tokens, inside };
}

bool TextEncoder::hasUnknown(const std::vector<int64_t>& tokens) const
{
    return m_unknownIndex >= 0
        && std::find(tokens.begin(), tokens.end(), m_unknownIndex) != tokens.end();
}

std::string TextEncoder::decode(const std::vector<int64_t>& tokens) const
{
    if (m_bytePairs)
        return m_bytePairs->decode(tokens);
    std::vector<int64_t> spelt;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(spelt),
        [this](int64_t token) { return token >= 0 && token < size() && !isBoundary(token); });
    if (m_pieces)
        return m_pieces->decode(spelt);
    const bool areCharacters = m_unit == Unit::Character;
    std::vector<std::string> parts;
    for (const int64_t token : spelt)
        parts.push_back(areCharacters && token == m_unknownIndex
                ? kUnknownCharacter
                : m_labels[static_cast<size_t>(token)]);
    return m_segDict ? SegDict::join(parts) : join(parts, m_unit == Unit::Word ? " " : "");
}

std::string TextEncoder::asWritten(const std::string& text) const
{
    return m_segDict ? toLower(text) : text;
}

std::vector<std::string> TextEncoder::searchLabels() const
{
    std::vector<std::string> labels = m_labels;
    if (isOfWords())
        for (std::string& label : labels)
            label.insert(0, kWordMark);
    else if (!m_pieces && m_unknownIndex >= 0)
        labels[static_cast<size_t>(m_unknownIndex)] = kUnknownCharacter;
    return labels;
}

Vocabulary TextEncoder::vocabulary() const
{
    if (m_pieces)
        return m_pieces->vocabulary();
    if (m_bytePairs)
        return m_bytePairs->vocabulary();
    const auto given
        = [](int64_t index) { return index < 0 ? std::nullopt : std::optional(index); };
    Vocabulary vocabulary { .kind = Vocabulary::Kind::Labels,
        .labels = m_labels,
        .special = specialAmong(m_labels),
        .blank = m_blankIndex,
        .bos = given(m_bosIndex),
        .eos = given(m_eosIndex),
        .unknown = given(m_unknownIndex) };
    for (const int64_t index : { m_blankIndex, m_bosIndex, m_eosIndex, m_unknownIndex })
        if (index >= 0)
            vocabulary.special.insert(index);
    return vocabulary;
}

std::string TextEncoder::sizeText() const
{
    return m_pieces || m_bytePairs ? data::sizeText(vocabulary())
                                   : "the training texts have " + std::to_string(size())
            + " labels with the special ones (label_encoder.txt lists them)";
}

} // namespace earwright::data
