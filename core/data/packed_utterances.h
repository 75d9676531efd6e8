#pragma once

#include "core/data/manifest.h"

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace earwright::data {

/// A manifest's utterances, each in fewer bytes than its row, as those of a folder share its name:
/// a million of them take a fifth of what they take as a vector. It grows without being copied.
class PackedUtterances final {
public:
    PackedUtterances() = default;
    PackedUtterances(const PackedUtterances&) = default;
    PackedUtterances& operator=(const PackedUtterances&) = default;
    /// A vector of them that grows copies none: by itself a deque promises nothing.
    PackedUtterances(PackedUtterances&&) noexcept = default;
    PackedUtterances& operator=(PackedUtterances&&) noexcept = default;
    ~PackedUtterances() = default;

    void add(const Utterance& utterance);
    size_t size() const { return m_rows.size(); }
    Utterance at(size_t index) const;
    /// The Utterance::text of at().
    std::string textAt(size_t index) const;

private:
    struct Row {
        uint32_t block = 0; ///< of its texts
        uint32_t begin = 0; ///< in the block
        uint32_t folder = 0; ///< of its wav
        std::array<uint32_t, 5> sizes {}; ///< of each text; of wav without the folder
        int line = 0;
        double durationSeconds = 0;
    };

    uint32_t folderOf(const std::string& wav);
    std::string& blockFor(size_t bytes);
    SoundPart partAt(size_t index) const;

    std::deque<Row> m_rows;
    std::deque<std::string> m_blocks; ///< each of a fixed size, or of one row that is longer
    std::deque<SoundPart> m_parts; ///< of the rows; none while all are whole files
    std::deque<std::string> m_folders { "" }; ///< each with its "/"
    std::unordered_map<std::string, uint32_t> m_folderIndices;
};

} // namespace earwright::data
