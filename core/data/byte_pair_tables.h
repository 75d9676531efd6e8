#pragma once

#include "core/data/byte_pairs.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace earwright::data {

/// What stands for a byte in tokens: a printable letter. Its place among all such letters is the
/// byte.
const std::array<std::string, 256>& byteLetters();

/// A token that texts have by its name, and that no merge makes.
struct AddedToken {
    std::string name;
    int64_t index = 0;
    bool isSpecial = false;
};

/// Constant once it is made, but for its memory of words.
struct BytePairs::Tables {
    struct Merge {
        int32_t rank;
        int32_t index; ///< of what the two become
    };

    std::string tokenizerJson;
    std::vector<std::string> tokens; ///< by index
    std::vector<std::string> spelt; ///< the bytes of each
    std::vector<bool> isSpecial; ///< by index
    std::vector<AddedToken> added; ///< the longest names first
    std::array<bool, 256> beginsAdded {}; ///< whether a name begins with that byte
    std::unordered_map<std::string, int64_t> indexOf;
    std::unordered_map<uint64_t, Merge> merges; ///< by keyOf()
    std::array<int32_t, 256> byteIndices {};
    Spellings spellings;

    static uint64_t keyOf(int32_t left, int32_t right)
    {
        return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32
            | static_cast<uint32_t>(right);
    }

    /// Of a text without added tokens.
    void encodePlain(std::string_view text, std::vector<int64_t>& indices) const;

private:
    std::vector<int64_t> encodeWord(std::string_view word) const;

    mutable std::mutex m_mutex;
    mutable std::unordered_map<std::string, std::vector<int64_t>> m_words; ///< guarded by m_mutex
};

} // namespace earwright::data
