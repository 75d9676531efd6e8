#pragma once

#include <cstdint>
#include <string_view>

namespace earwright::decode {

/// A string as a number: its bytes as a polynomial modulo 2^61 - 1. The hash of a + b follows from
/// those of a and b, so that beams which spell the same by other tokens meet without a string being
/// built. Two different strings of n bytes share a value once in 2^61 / n pairs.
struct TextHash {
    uint64_t value = 0; ///< 0: the empty string, and no other
    uint64_t power = 1; ///< base^bytes

    static constexpr uint64_t kModulus = (uint64_t { 1 } << 61) - 1;
    static constexpr uint64_t kBase = 0x1b873593cc9e2d51 % kModulus;

    static TextHash of(std::string_view bytes)
    {
        TextHash hash;
        for (const char byte : bytes)
            hash = hash + TextHash { static_cast<unsigned char>(byte) + uint64_t { 1 }, kBase };
        return hash;
    }

    friend TextHash operator+(TextHash a, TextHash b)
    {
        return { reduce(multiply(a.value, b.power) + b.value), multiply(a.power, b.power) };
    }

private:
    static uint64_t reduce(uint64_t value) { return value >= kModulus ? value - kModulus : value; }
    static uint64_t multiply(uint64_t a, uint64_t b)
    {
        const auto product = static_cast<unsigned __int128>(a) * b;
        return reduce(
            static_cast<uint64_t>(product & kModulus) + static_cast<uint64_t>(product >> 61));
    }
};

} // namespace earwright::decode
