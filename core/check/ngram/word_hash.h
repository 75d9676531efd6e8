#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace earwright::check {

/// MurmurHash64A by Austin Appleby, in the public domain: KenLM knows words by it.
inline uint64_t wordHash(std::string_view word)
{
    constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
    constexpr int kShift = 47;
    uint64_t hash = word.size() * kFactor;
    for (; word.size() >= sizeof(uint64_t); word.remove_prefix(sizeof(uint64_t))) {
        uint64_t part = 0;
        std::memcpy(&part, word.data(), sizeof part);
        part *= kFactor;
        part ^= part >> kShift;
        hash = (hash ^ (part * kFactor)) * kFactor;
    }
    if (!word.empty()) {
        uint64_t rest = 0;
        std::memcpy(&rest, word.data(), word.size());
        hash = (hash ^ rest) * kFactor;
    }
    hash = (hash ^ (hash >> kShift)) * kFactor;
    return hash ^ (hash >> kShift);
}

/// The word that stands for all unknown ones; some models have it in capitals.
inline bool isUnknownWord(std::string_view word)
{
    return word == "<unk>" || word == "<UNK>";
}

} // namespace earwright::check
