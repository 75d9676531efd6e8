#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace earwright::score {

/// Between the parts of upstream's reports.
inline const std::string kRule = std::string(80, '=') + "\n";

/// speechbrain.utils.metric_stats.ErrorRateStats: edits between token sequences, summed as
/// integers.
struct Scored {
    std::string id;
    std::vector<std::string> reference;
    std::vector<std::string> hypothesis;
    std::string operations; ///< the alignment, one letter a step: '=' equal, 'S', 'I', 'D'
    int64_t insertions = 0;
    int64_t deletions = 0;
    int64_t substitutions = 0;

    void countOperations(); ///< sets the three above
    int64_t edits() const { return insertions + deletions + substitutions; }
    int64_t tokens() const; ///< of the reference; one empty token alone counts as none, as upstream
    double percent() const; ///< 100 * edits / tokens, of no token 100 an edit, as upstream
    bool isSilent() const; ///< the hypothesis has no token but an empty one
};

struct ErrorRate {
    int64_t tokens = 0; ///< of the references
    int64_t insertions = 0;
    int64_t deletions = 0;
    int64_t substitutions = 0;
    int64_t sentences = 0;
    int64_t wrongSentences = 0;

    void add(const Scored& one);
    void add(const ErrorRate& other);
    int64_t edits() const { return insertions + deletions + substitutions; }
    double percent() const; ///< 100 * edits / tokens; 0 tokens -> 0 without insertions, 100 with
    bool operator==(const ErrorRate&) const = default;
};

/// Aligns by minimum edit distance with upstream's tie breaking (speechbrain.utils.edit_distance):
/// on equal cost an insertion goes before a deletion and both before a pair. Quadratic in the
/// lengths, a byte a cell.
Scored score(
    std::string id, std::vector<std::string> reference, std::vector<std::string> hypothesis);
ErrorRate summarise(const std::vector<Scored>& scored);
/// The text of upstream's wer_test.txt, byte for byte: summary and alignments.
std::string alignmentText(const std::vector<Scored>& scored);
/// What that text was made of. The error names the line that is no part of one.
Result<std::vector<Scored>> scoredFromAlignments(std::string_view text);
/// Its first line: "%WER 33.33 [ 2 / 6, 0 ins, 1 del, 1 sub ]".
std::string rateLine(const ErrorRate& sum);

/// Where texts are cut into words: the run option split_words.
enum class WordSplit {
    WhiteSpace, ///< "white_space": Python's text.split(), as jiwer, Kaldi and sclite count
    SingleBlanks, ///< "single_blanks": text.split(" "), as upstream's recipes call it: "" gives one
                  ///< empty word, two blanks an empty word between
};
WordSplit wordSplitOf(std::string_view option);

std::vector<std::string> words(const std::string& text, WordSplit split);
/// The code points of the words with "_" between words, as upstream's split_tokens joins them.
std::vector<std::string> characters(const std::string& text, WordSplit split);

} // namespace earwright::score
