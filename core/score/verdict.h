#pragma once

#include "core/score/bootstrap.h"
#include "core/score/matched_pairs.h"
#include "core/score/text_scores.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::score {

/// Whether two runs differ in what they made of the same utterances.
struct Verdict {
    std::string rate; ///< "WER" | "CER": what was counted
    ErrorRate first; ///< of the utterances that both have
    ErrorRate second;
    int64_t onlyInFirst = 0; ///< utterances that the other has not
    int64_t onlyInSecond = 0;
    std::optional<PairedDifference> bootstrap; ///< see pairedBootstrap()
    MatchedPairs matchedPairs; ///< see matchedPairs()

    double difference() const { return second.percent() - first.percent(); } ///< points
    /// The bootstrap's p is below 0.05.
    bool isBeyondChance() const;
    /// "no difference beyond chance (p = 0.41, 248 utterances)", or with the 95 % interval "bf16 is
    /// worse by 0.8 to 2.1 points of WER (p = 0.002, 248 utterances)". `name`: of the second.
    std::string sentence(const std::string& name) const;
};

/// "p = 0.41", "p = 0.032", "p < 0.001". What is below 0.05 is never rounded to it: "p = 0.0497".
std::string pText(double p);

/// Pairs utterances by ID and aligns them: 100,000 of 15 words take a few seconds. `rate`: what
/// both runs are judged by, words for "WER", unspacedUnits() for "CER". Errors: an ID twice in one
/// run; no utterance that both have; references that differ, of which the first is shown.
Result<Verdict> verdict(const std::vector<TextPair>& first, const std::vector<TextPair>& second,
    const std::string& rate, WordSplit split);

} // namespace earwright::score
