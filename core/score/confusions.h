#pragma once

#include "core/score/error_rate.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace earwright::score {

/// What was heard in place of what was said, over all utterances.
struct Confusion {
    std::string reference; ///< "" = nothing was said: an insertion
    std::string hypothesis; ///< "" = nothing was heard: a deletion
    int64_t count = 0;
    int64_t utterances = 0; ///< that have it

    bool operator==(const Confusion&) const = default;
};

/// Counts confusions of words or, where texts have no words, of their units. Not thread-safe.
class ConfusionCounter final {
public:
    /// `rate`: the one that counts, "WER" or "CER", as run::Evaluated::rate.
    ConfusionCounter(const std::string& rate, WordSplit split)
        : m_haveWords(rate != "CER")
        , m_split(split)
    {
    }

    /// Aligns the two, which takes time in the product of their lengths.
    void add(const std::string& reference, const std::string& hypothesis);
    /// The most frequent first; equal ones by their texts.
    std::vector<Confusion> confusions() const;

private:
    struct Count {
        int64_t count = 0;
        int64_t utterances = 0;
        int64_t last = -1; ///< number of the utterance that had it last
    };

    std::vector<std::string> unitsOf(const std::string& text) const;

    bool m_haveWords;
    WordSplit m_split;
    int64_t m_numAdded = 0;
    std::map<std::pair<std::string, std::string>, Count> m_counts;
};

} // namespace earwright::score
