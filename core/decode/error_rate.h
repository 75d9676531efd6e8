#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kymo::decode {

/// speechbrain.utils.metric_stats.ErrorRateStats: edits between token sequences, summed as integers.
struct Scored {
    std::string id;
    std::vector<std::string> reference;
    std::vector<std::string> hypothesis;
    int64_t insertions = 0;
    int64_t deletions = 0;
    int64_t substitutions = 0;
};

struct ErrorRate {
    int64_t tokens = 0; ///< of the references
    int64_t insertions = 0;
    int64_t deletions = 0;
    int64_t substitutions = 0;
    int64_t sentences = 0;
    int64_t wrongSentences = 0;
    double percent() const; ///< 100 * edits / tokens; 0 tokens -> 0 without insertions, 100 with
};

/// Aligns by minimum edit distance with upstream's tie breaking (speechbrain.utils.edit_distance).
Scored score(std::string id, std::vector<std::string> reference, std::vector<std::string> hypothesis);
ErrorRate summarise(const std::vector<Scored>& scored);
/// The text of upstream's wer_test.txt, byte for byte: summary and alignments.
std::string alignmentText(const std::vector<Scored>& scored);

/// Words by blanks; characters with blanks merged as upstream's split_tokens does.
std::vector<std::string> words(const std::string& text);
std::vector<std::string> characters(const std::string& text);

} // namespace kymo::decode
