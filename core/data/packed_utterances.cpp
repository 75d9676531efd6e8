#include "core/data/packed_utterances.h"

#include <algorithm>
#include <string_view>

namespace earwright::data {
namespace {

constexpr size_t kTextBlockBytes = size_t { 1 } << 20;
constexpr size_t kMostFolders = size_t { 1 } << 16; ///< files of others keep their whole path

constexpr size_t kWav = 1; ///< of packedTexts()
constexpr size_t kText = 3;

/// Of an Utterance, const or not.
auto packedTexts(auto& utterance)
{
    return std::array { &utterance.id, &utterance.wav, &utterance.speaker, &utterance.text,
        &utterance.labels };
}

} // namespace

uint32_t PackedUtterances::folderOf(const std::string& wav)
{
    const std::string folder = wav.substr(0, wav.rfind('/') + 1);
    if (folder.empty())
        return 0;
    const auto known = m_folderIndices.find(folder);
    if (known != m_folderIndices.end() || m_folders.size() == kMostFolders)
        return known != m_folderIndices.end() ? known->second : 0;
    const auto index = static_cast<uint32_t>(m_folders.size());
    m_folderIndices.emplace(folder, index);
    m_folders.push_back(folder);
    return index;
}

std::string& PackedUtterances::blockFor(size_t bytes)
{
    if (m_blocks.empty() || m_blocks.back().size() + bytes > kTextBlockBytes) {
        m_blocks.emplace_back();
        m_blocks.back().reserve(std::max(bytes, kTextBlockBytes));
    }
    return m_blocks.back();
}

void PackedUtterances::add(const Utterance& utterance)
{
    Row row { .folder = folderOf(utterance.wav),
        .line = utterance.line,
        .durationSeconds = utterance.durationSeconds };
    const size_t cut = m_folders[row.folder].size();
    size_t bytes = 0;
    for (size_t i = 0; i < row.sizes.size(); ++i) {
        const size_t size = packedTexts(utterance)[i]->size() - (i == kWav ? cut : 0);
        row.sizes[i] = static_cast<uint32_t>(size);
        bytes += size;
    }
    std::string& block = blockFor(bytes);
    row.block = static_cast<uint32_t>(m_blocks.size() - 1);
    row.begin = static_cast<uint32_t>(block.size());
    for (size_t i = 0; i < row.sizes.size(); ++i)
        block.append(*packedTexts(utterance)[i], i == kWav ? cut : 0, std::string::npos);
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
    utterance.wav = m_folders[row.folder];
    std::string_view left = std::string_view(m_blocks[row.block]).substr(row.begin);
    for (size_t i = 0; i < row.sizes.size(); ++i) {
        packedTexts(utterance)[i]->append(left.substr(0, row.sizes[i]));
        left.remove_prefix(row.sizes[i]);
    }
    return utterance;
}

std::string PackedUtterances::textAt(size_t index) const
{
    const Row& row = m_rows[index];
    size_t begin = row.begin;
    for (size_t i = 0; i < kText; ++i)
        begin += row.sizes[i];
    return m_blocks[row.block].substr(begin, row.sizes[kText]);
}

} // namespace earwright::data
