#include "core/data/label_codec.h"

#include "core/base/text.h"
#include "core/data/python_literal.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kUnknownLabel = "<unk>";
constexpr const char* kUnknownCharacter = "⁇"; // one error, where "<unk>" would be five

} // namespace

LabelCodec::LabelCodec(const std::vector<std::string>& texts,
    const settings::SpecialLabels& special, Unit unit, bool hasUnknown)
    : m_unit(unit)
{
    if (special.endsWords)
        endWords();
    std::set<std::string> seen;
    if (hasUnknown)
        m_table.labels.emplace_back(*seen.insert(kUnknownLabel).first);
    for (const std::string& text : texts) {
        for (std::string& label : unitsOf(text)) {
            if (seen.insert(label).second)
                m_table.labels.push_back(std::move(label));
        }
    }
    m_table.insertSpecial(special);
    for (int64_t i = 0; i < m_table.size(); ++i) {
        m_table.indexOf[m_table.labels[static_cast<size_t>(i)]] = i;
        if (i != m_table.blankIndex && !m_table.isBoundary(i))
            m_table.fileOrder.push_back(i);
    }
    if (hasUnknown) {
        m_table.unknownIndex = m_table.indexOf[kUnknownLabel];
        m_table.extras.emplace_back("unk_label", pythonRepr(kUnknownLabel));
    }
    if (unit == Unit::Word)
        m_table.extras.emplace_back(LabelTable::kTokenType, pythonRepr("word"));
}

LabelCodec::LabelCodec(LabelTable table)
    : m_table(std::move(table))
{
    for (const auto& [key, literal] : m_table.extras) {
        const std::optional<PythonString> value = parsePythonString(literal);
        if (!value)
            continue;
        if (key == LabelTable::kTokenType && value->value == "word")
            m_unit = Unit::Word;
        if (key == LabelTable::kEndsWords)
            m_endsWords = true;
        if (key == LabelTable::kSegDict)
            m_segDict.emplace(value->value);
    }
}

void LabelCodec::endWords()
{
    if (m_endsWords || m_unit != Unit::Character || m_segDict)
        return;
    m_endsWords = true;
    m_table.extras.emplace_back(LabelTable::kEndsWords, pythonRepr("True"));
}

void LabelCodec::cutAtBlanks()
{
    if (!isOfWords())
        m_table.extras.emplace_back(LabelTable::kTokenType, pythonRepr("word"));
    m_unit = Unit::Word;
}

void LabelCodec::addUnknown()
{
    const auto [at, isNew] = m_table.indexOf.emplace(kUnknownLabel, m_table.size());
    m_table.unknownIndex = at->second;
    if (!isNew)
        return;
    m_table.labels.emplace_back(kUnknownLabel);
    m_table.fileOrder.push_back(m_table.unknownIndex);
    m_table.extras.emplace_back("unk_label", pythonRepr(kUnknownLabel));
}

void LabelCodec::addLabels(const std::vector<std::string>& texts)
{
    if (m_segDict)
        return;
    for (const std::string& text : texts) {
        for (std::string& label : unitsOf(text)) {
            if (!m_table.indexOf.emplace(label, m_table.size()).second)
                continue;
            m_table.fileOrder.push_back(m_table.size());
            m_table.labels.push_back(std::move(label));
        }
    }
}

std::optional<int64_t> LabelCodec::indexOf(const std::string& label) const
{
    const auto at = m_table.indexOf.find(label);
    return at == m_table.indexOf.end() ? std::nullopt : std::optional(at->second);
}

std::vector<std::string> LabelCodec::unitsOf(const std::string& text) const
{
    if (m_segDict)
        return m_segDict->cut(text);
    if (m_unit == Unit::Word)
        return splitAtBlanks(text);
    if (!m_endsWords)
        return codePoints(text);
    const std::vector<std::string> words = splitAtBlanks(text);
    return codePoints(join(words, " ") + (words.empty() ? "" : " "));
}

Result<std::vector<int64_t>> LabelCodec::encode(const std::string& text) const
{
    std::vector<int64_t> tokens;
    for (const std::string& unit : unitsOf(text)) {
        const auto at = m_table.indexOf.find(unit);
        if (at == m_table.indexOf.end() && m_table.unknownIndex < 0)
            return notKnown(unit, text);
        tokens.push_back(at == m_table.indexOf.end() ? m_table.unknownIndex : at->second);
    }
    return tokens;
}

Error LabelCodec::notKnown(const std::string& unit, const std::string& text) const
{
    if (m_segDict && unit == SegDict::kUnknown)
        return Error { "the seg_dict has no tokens for the word '" + m_segDict->unknownWord(text)
            + "', and the token list no " + SegDict::kUnknown };
    return Error { std::string("the ") + (m_unit == Unit::Word ? "word '" : "character '") + unit
        + "' is not in the label encoder" };
}

std::string LabelCodec::decode(const std::vector<int64_t>& tokens) const
{
    std::vector<int64_t> spelt;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(spelt), [this](int64_t token) {
        return token >= 0 && token < m_table.size() && !m_table.isBoundary(token);
    });
    const bool areCharacters = m_unit == Unit::Character;
    std::vector<std::string> parts;
    for (const int64_t token : spelt)
        parts.push_back(areCharacters && token == m_table.unknownIndex
                ? kUnknownCharacter
                : m_table.labels[static_cast<size_t>(token)]);
    if (m_endsWords && !parts.empty() && parts.back() == " ")
        parts.pop_back();
    return m_segDict ? SegDict::join(parts) : join(parts, m_unit == Unit::Word ? " " : "");
}

std::string LabelCodec::asWritten(const std::string& text) const
{
    return m_segDict ? toLower(text) : text;
}

std::vector<std::string> LabelCodec::searchLabels() const
{
    std::vector<std::string> labels = m_table.labels;
    if (isOfWords())
        for (std::string& label : labels)
            label.insert(0, kWordMark);
    else if (m_table.unknownIndex >= 0)
        labels[static_cast<size_t>(m_table.unknownIndex)] = kUnknownCharacter;
    return labels;
}

Vocabulary LabelCodec::vocabulary() const
{
    const auto given
        = [](int64_t index) { return index < 0 ? std::nullopt : std::optional(index); };
    Vocabulary vocabulary { .kind = Vocabulary::Kind::Labels,
        .labels = m_table.labels,
        .special = specialAmong(m_table.labels),
        .blank = m_table.blankIndex,
        .bos = given(m_table.bosIndex),
        .eos = given(m_table.eosIndex),
        .unknown = given(m_table.unknownIndex) };
    for (const int64_t index :
        { m_table.blankIndex, m_table.bosIndex, m_table.eosIndex, m_table.unknownIndex })
        if (index >= 0)
            vocabulary.special.insert(index);
    return vocabulary;
}

std::string LabelCodec::sizeText() const
{
    return "the training texts have " + std::to_string(m_table.size())
        + " labels with the special ones (label_encoder.txt lists them)";
}

} // namespace earwright::data
