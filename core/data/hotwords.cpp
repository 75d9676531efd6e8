#include "core/data/hotwords.h"

#include "core/data/hash.h"

#include <algorithm>

namespace kymo::data {

namespace {

constexpr double kSampled = 0.75; ///< share of texts that give a hotword
constexpr double kDouble = 0.1; ///< share of them, if long enough, that give two

HotwordSpan anywhereFrom(
    int64_t from, int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    const int64_t first = chance.between(from, length - sampling.shortest);
    const int64_t last = length - 1;
    return { first,
        chance.between(std::min(last, first + sampling.shortest - 1),
            std::min(last, first + sampling.longest - 1)) };
}

std::vector<HotwordSpan> two(int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    const int64_t first = chance.between(0, length / 3);
    const int64_t last = chance.between(
        first + sampling.shortest - 1, first + std::min(sampling.longest, length / 2) - 1);
    if (last + sampling.shortest >= length) // only with numbers that are not upstream's
        return { { first, last } };
    const HotwordSpan second = anywhereFrom(last + 1, length, sampling, chance);
    return { { first, last }, second };
}

} // namespace

std::vector<HotwordSpan> sampleHotwords(
    int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    if (length < sampling.shortest || chance.share() >= kSampled)
        return {};
    if (length == sampling.shortest)
        return { { 0, length - 1 } };
    if (chance.share() < kDouble && length > sampling.longest + sampling.shortest + 2)
        return two(length, sampling, chance);
    return { anywhereFrom(0, length, sampling, chance) };
}

std::vector<HotwordSpan> sampleHotwords(int64_t length, const HotwordSampling& sampling,
    uint64_t seed, int64_t epoch, std::string_view id)
{
    // Not the draws that choose the speed: another stream of the same seed.
    constexpr uint64_t kStream = 0x686F74776F7264;
    uint64_t state
        = mixBits(mixBits(mixBits(seed ^ kStream) + static_cast<uint64_t>(epoch)) ^ hashText(id));
    const auto draw = [&state] { return state = mixBits(state); };
    return sampleHotwords(length, sampling,
        { [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; },
            [&](int64_t low, int64_t high) {
                return low + static_cast<int64_t>(draw() % static_cast<uint64_t>(high - low + 1));
            } });
}

std::vector<HotwordSpan> spansOf(
    const std::vector<int64_t>& hotword, const std::vector<int64_t>& text)
{
    std::vector<HotwordSpan> spans;
    for (auto at = text.begin();; ++at) {
        at = std::search(at, text.end(), hotword.begin(), hotword.end());
        if (at == text.end())
            return spans;
        const int64_t first = at - text.begin();
        spans.push_back({ first, first + std::ssize(hotword) - 1 });
    }
}

} // namespace kymo::data
