#pragma once

#include <cstdint>
#include <string_view>

namespace earwright::data {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input moves every bit
/// of the output.
constexpr uint64_t mixBits(uint64_t value)
{
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
}

/// The same on every machine, unlike std::hash: FNV-1a, then mixed.
constexpr uint64_t hashText(std::string_view text)
{
    uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return mixBits(hash);
}

} // namespace earwright::data
