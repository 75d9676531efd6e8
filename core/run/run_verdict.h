#pragma once

#include "core/run/utterances.h"
#include "core/score/verdict.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::run {

/// What a run made of one split.
struct EvaluatedTexts {
    std::string name; ///< of the run, for messages
    score::WordSplit wordSplit = score::WordSplit::WhiteSpace; ///< of its recipe
    Evaluated evaluation {};
    score::ErrorRate edits {}; ///< in the unit that counts, of all utterances
    std::vector<score::TextPair> texts {};
};

/// `name` and `wordSplit` are the caller's to set. Errors: those of findEvaluation() and
/// readUtterances().
Result<EvaluatedTexts> readTexts(const RunFolder& folder, const Snapshot& snapshot,
    const std::string& split, std::optional<int64_t> epoch = std::nullopt);

/// Whether the second run differs from the first. Errors: they are judged by other rates, their
/// words are cut in other ways, and those of score::verdict().
Result<score::Verdict> verdictOf(const EvaluatedTexts& first, const EvaluatedTexts& second);

/// "test: bf16 is worse by …; MAPSSWE p = 0.003 over 120 segments", and how many utterances were
/// left out, as only one run has them.
std::string verdictLine(
    const EvaluatedTexts& first, const EvaluatedTexts& second, const score::Verdict& verdict);

} // namespace earwright::run
