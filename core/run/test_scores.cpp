#include "core/run/test_scores.h"

#include <algorithm>

namespace kymo::run {

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

} // namespace kymo::run
