#include "core/run/test_scores.h"

#include <algorithm>

namespace earwright::run {

std::vector<Evaluated> testScores(const Snapshot& snapshot)
{
    std::vector<Evaluated> scores;
    for (const Evaluated& evaluated : snapshot.evaluations) {
        if (evaluated.split == "valid")
            continue;
        const auto known = std::find_if(scores.begin(), scores.end(),
            [&](const Evaluated& earlier) { return earlier.split == evaluated.split; });
        if (known == scores.end())
            scores.push_back(evaluated);
        else
            *known = evaluated;
    }
    return scores;
}

std::optional<double> valueAt(const Snapshot& snapshot, const std::string& tag, int64_t step)
{
    const auto found = snapshot.series.find(tag);
    if (found == snapshot.series.end())
        return std::nullopt;
    const size_t end = found->second.lowerBoundStep(step + 1);
    const auto& points = found->second.points();
    return end > 0 && points[end - 1].step == step ? std::optional(points[end - 1].value)
                                                   : std::nullopt;
}

std::optional<RateInterval> intervalOf(
    const Snapshot& snapshot, const Evaluated& evaluated, const std::string& rate)
{
    const std::string tag = evaluated.split + "/" + rate;
    const auto low = valueAt(snapshot, tag + "_low", evaluated.step);
    const auto high = valueAt(snapshot, tag + "_high", evaluated.step);
    return low && high ? std::optional(RateInterval { *low, *high }) : std::nullopt;
}

} // namespace earwright::run
