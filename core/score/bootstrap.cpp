#include "core/score/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <random>

namespace earwright::score {

namespace {

constexpr size_t kDraws = 1000;
constexpr size_t kMostPairedDraws = 10000;
constexpr size_t kMostDrawnPairs = 50'000'000; ///< half a second of them

/// What is between percentiles 2.5 and 97.5.
Interval middleOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const size_t tail = values.size() / 40;
    return { values[tail], values[values.size() - 1 - tail] };
}

/// Edits and tokens of an utterance, or of several.
struct Share {
    int64_t edits = 0;
    int64_t tokens = 0;

    double percent() const { return ErrorRate { .tokens = tokens, .insertions = edits }.percent(); }
};

void operator+=(Share& sum, const Share& one)
{
    sum.edits += one.edits;
    sum.tokens += one.tokens;
}

Share shareOf(const Scored& one)
{
    return { one.edits(), one.tokens() };
}

} // namespace

std::optional<Interval> bootstrapInterval(const std::vector<Scored>& scored)
{
    const auto isWrong = [](const Scored& one) { return one.edits() > 0; };
    if (scored.size() < 2 || std::none_of(scored.begin(), scored.end(), isWrong))
        return {};
    std::vector<Share> shares;
    std::transform(scored.begin(), scored.end(), std::back_inserter(shares), shareOf);
    std::mt19937_64 random(1);
    std::vector<double> percents;
    for (size_t draw = 0; draw < kDraws; ++draw) {
        Share sum;
        for (size_t i = 0; i < shares.size(); ++i)
            sum += shares[random() % shares.size()];
        percents.push_back(sum.percent());
    }
    return middleOf(std::move(percents));
}

std::optional<PairedDifference> pairedBootstrap(
    const std::vector<Scored>& first, const std::vector<Scored>& second)
{
    assert(first.size() == second.size());
    if (first.size() < 2)
        return {};
    std::vector<std::pair<Share, Share>> pairs;
    for (size_t i = 0; i < first.size(); ++i)
        pairs.push_back({ shareOf(first[i]), shareOf(second[i]) });
    const size_t draws = std::clamp(kMostDrawnPairs / pairs.size(), kDraws, kMostPairedDraws);
    std::mt19937_64 random(1);
    std::vector<double> differences;
    for (size_t draw = 0; draw < draws; ++draw) {
        Share sums[2];
        for (size_t i = 0; i < pairs.size(); ++i) {
            const auto& [one, other] = pairs[random() % pairs.size()];
            sums[0] += one;
            sums[1] += other;
        }
        differences.push_back(sums[1].percent() - sums[0].percent());
    }
    const auto notAbove = std::count_if(
        differences.begin(), differences.end(), [](double points) { return points <= 0; });
    const auto notBelow = std::count_if(
        differences.begin(), differences.end(), [](double points) { return points >= 0; });
    // One more of each: the set that was measured is one of those that could be drawn.
    const double side = static_cast<double>(std::min(notAbove, notBelow) + 1)
        / static_cast<double>(differences.size() + 1);
    return PairedDifference { middleOf(std::move(differences)), std::min(1.0, 2 * side) };
}

} // namespace earwright::score
