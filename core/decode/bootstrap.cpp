#include "core/decode/bootstrap.h"

#include <algorithm>
#include <random>

namespace earwright::decode {

namespace {

constexpr size_t kDraws = 1000;
constexpr size_t kTail = kDraws / 40; // 2.5 % at each end

} // namespace

std::optional<Interval> bootstrapInterval(const std::vector<Scored>& scored)
{
    const auto isWrong = [](const Scored& one) { return one.edits() > 0; };
    if (scored.size() < 2 || std::none_of(scored.begin(), scored.end(), isWrong))
        return {};
    std::vector<ErrorRate> rates; // of each utterance
    for (const Scored& one : scored)
        rates.push_back(summarise({ one }));
    std::mt19937_64 random(1);
    std::vector<double> percents;
    for (size_t draw = 0; draw < kDraws; ++draw) {
        ErrorRate sum;
        for (size_t i = 0; i < rates.size(); ++i) {
            const ErrorRate& one = rates[random() % rates.size()];
            sum.tokens += one.tokens;
            sum.insertions += one.insertions;
            sum.deletions += one.deletions;
            sum.substitutions += one.substitutions;
        }
        percents.push_back(sum.percent());
    }
    std::sort(percents.begin(), percents.end());
    return Interval { percents[kTail], percents[kDraws - 1 - kTail] };
}

} // namespace earwright::decode
