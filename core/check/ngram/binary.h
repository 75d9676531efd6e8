#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// KenLM's binary form, version 5. A head; the words' table; for tries with bins these; what is
// known of single words; a table for each higher order; the words' texts, each with a 0 behind it.

namespace earwright::check {

/// So begins every version of it.
constexpr std::string_view kBinaryNgram = "mmap lm http://kheafield.com/code";

struct NgramHead {
    int order = 0;
    float multiplier = 0; ///< places of a hash table for each entry
    int kind = 0; ///< lm/model_type.hh: 0, 1 hash tables, 2 … 5 tries
    std::vector<uint64_t> counts; ///< n-grams of each order
    size_t size = 0; ///< bytes of the head itself

    bool isTrie() const { return kind >= 2; }
    bool hasRest() const { return kind == 1; }
    bool hasBins() const { return kind == 3 || kind == 5; }
    bool hasArrays() const { return kind == 4 || kind == 5; }
};

/// Cuts one part after another from the file. `isShort`: the file ends before one does.
class NgramParts final {
public:
    explicit NgramParts(std::string_view file, size_t begin)
        : m_file(file)
        , m_at(begin)
    {
    }
    std::string_view next(uint64_t size)
    {
        isShort = isShort || size > m_file.size() - m_at;
        const std::string_view part = isShort ? std::string_view() : m_file.substr(m_at, size);
        m_at += part.size();
        return part;
    }
    std::string_view rest() const { return m_file.substr(m_at); }
    size_t at() const { return m_at; }
    bool isShort = false;

private:
    std::string_view m_file;
    size_t m_at;
};

template <class T>
T readAt(std::string_view bytes, uint64_t at)
{
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// Finite, and small enough that no sum of some is not.
bool isNgramWeight(float weight);
/// The same and no probability above 1.
bool isNgramProbability(float weight);

/// A text for each word behind <unk>, whose number has that hash. "" or why not.
std::string whyNoWords(std::string_view texts, const std::vector<uint64_t>& hashes);

/// Both read what follows the head. "" or what is damaged.
std::string whyNoHashTables(const NgramHead& head, NgramParts parts);
std::string whyNoTrie(const NgramHead& head, NgramParts parts);

constexpr const char* kShortNgram = "it is shorter than its head says";

} // namespace earwright::check
