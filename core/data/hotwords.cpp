#include "core/data/hotwords.h"

#include "core/data/hash.h"

#include <algorithm>

namespace kymo::data {

namespace {

constexpr int64_t kShortest = 2;
constexpr int64_t kLongest = 8;
constexpr double kSampled = 0.75; ///< share of texts that give a hotword
constexpr double kDouble = 0.1; ///< share of them, if long enough, that give two

HotwordSpan anywhereFrom(int64_t from, int64_t length, const Chance& chance)
{
    const int64_t first = chance.between(from, length - kShortest);
    const int64_t last = length - 1;
    return { first,
        chance.between(
            std::min(last, first + kShortest - 1), std::min(last, first + kLongest - 1)) };
}

std::vector<HotwordSpan> two(int64_t length, const Chance& chance)
{
    const int64_t first = chance.between(0, length / 3);
    const int64_t last
        = chance.between(first + kShortest - 1, first + std::min(kLongest, length / 2) - 1);
    const HotwordSpan second = anywhereFrom(last + 1, length, chance);
    return { { first, last }, second };
}

} // namespace

std::vector<HotwordSpan> sampleHotwords(int64_t length, const Chance& chance)
{
    if (length < kShortest || chance.share() >= kSampled)
        return {};
    if (length == kShortest)
        return { { 0, length - 1 } };
    if (chance.share() < kDouble && length > kLongest + kShortest + 2)
        return two(length, chance);
    return { anywhereFrom(0, length, chance) };
}

std::vector<HotwordSpan> sampleHotwords(
    int64_t length, uint64_t seed, int64_t epoch, std::string_view id)
{
    // Not the draws that choose the speed: another stream of the same seed.
    constexpr uint64_t kStream = 0x686F74776F7264;
    uint64_t state
        = mixBits(mixBits(mixBits(seed ^ kStream) + static_cast<uint64_t>(epoch)) ^ hashText(id));
    const auto draw = [&state] { return state = mixBits(state); };
    return sampleHotwords(length,
        { [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; },
            [&](int64_t low, int64_t high) {
                return low + static_cast<int64_t>(draw() % static_cast<uint64_t>(high - low + 1));
            } });
}

} // namespace kymo::data
