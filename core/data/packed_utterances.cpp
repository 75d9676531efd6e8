#include "core/data/packed_utterances.h"

namespace earwright::data {
namespace {

/// Of an Utterance, const or not.
auto packedTexts(auto& utterance)
{
    return std::array { &utterance.id, &utterance.wav, &utterance.speaker, &utterance.text,
        &utterance.labels };
}

} // namespace

void PackedUtterances::add(const Utterance& utterance)
{
    Row row { m_texts.size(), {}, utterance.line, utterance.durationSeconds };
    for (size_t i = 0; i < row.sizes.size(); ++i) {
        const std::string& text = *packedTexts(utterance)[i];
        row.sizes[i] = static_cast<uint32_t>(text.size());
        m_texts += text;
    }
    m_rows.push_back(row);
    if (utterance.part.isWhole() && m_parts.empty())
        return;
    m_parts.resize(m_rows.size());
    m_parts.back() = utterance.part;
}

SoundPart PackedUtterances::partAt(size_t index) const
{
    return index < m_parts.size() ? m_parts[index] : SoundPart();
}

Utterance PackedUtterances::at(size_t index) const
{
    const Row& row = m_rows[index];
    Utterance utterance;
    utterance.line = row.line;
    utterance.durationSeconds = row.durationSeconds;
    utterance.part = partAt(index);
    size_t begin = row.begin;
    for (size_t i = 0; i < row.sizes.size(); begin += row.sizes[i++])
        *packedTexts(utterance)[i] = m_texts.substr(begin, row.sizes[i]);
    return utterance;
}

} // namespace earwright::data
