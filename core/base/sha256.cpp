#include "core/base/text.h"

#include <array>
#include <bit>
#include <cstdint>

namespace kymo {
namespace {

// FIPS 180-4: fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> kRound { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
    0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

using State = std::array<uint32_t, 8>;
using Schedule = std::array<uint32_t, 64>;

Schedule expand(const unsigned char* block)
{
    Schedule w {};
    for (size_t i = 0; i < 16; ++i) {
        w[i] = static_cast<uint32_t>(block[4 * i]) << 24
            | static_cast<uint32_t>(block[4 * i + 1]) << 16
            | static_cast<uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
    }
    for (size_t i = 16; i < 64; ++i) {
        const uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    return w;
}

void digestBlock(State& state, const unsigned char* block)
{
    const Schedule w = expand(block);
    State s = state;
    for (size_t i = 0; i < 64; ++i) {
        const uint32_t s1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t t1 = s[7] + s1 + choice + kRound[i] + w[i];
        const uint32_t s0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        s = { t1 + s0 + majority, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6] };
    }
    for (size_t i = 0; i < 8; ++i)
        state[i] += s[i];
}

/// What is left of the message after its whole blocks, with the end mark and the length in bits.
std::string paddedTail(std::string_view bytes)
{
    std::string tail(bytes.substr(bytes.size() / 64 * 64));
    tail += '\x80';
    while (tail.size() % 64 != 56)
        tail += '\0';
    const uint64_t bits = static_cast<uint64_t>(bytes.size()) * 8;
    for (int shift = 56; shift >= 0; shift -= 8)
        tail += static_cast<char>(bits >> shift & 0xff);
    return tail;
}

void digestBlocks(State& state, std::string_view blocks)
{
    for (size_t at = 0; at + 64 <= blocks.size(); at += 64)
        digestBlock(state, reinterpret_cast<const unsigned char*>(blocks.data()) + at);
}

} // namespace

std::string sha256Hex(std::string_view bytes)
{
    State state { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
        0x1f83d9ab, 0x5be0cd19 };
    digestBlocks(state, bytes);
    digestBlocks(state, paddedTail(bytes));
    std::string hex;
    for (const uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            hex += "0123456789abcdef"[word >> shift & 0xf];
    }
    return hex;
}

} // namespace kymo
