#pragma once

#include "core/base/result.h"
#include "core/catalog/run_options.h"
#include "core/distributed/group.h"
#include "core/precision/precision.h"
#include "core/run/utterances.h"
#include "core/score/bootstrap.h"
#include "core/train/dataset.h"
#include "core/train/task/task.h"

#include <functional>
#include <map>

namespace earwright::train {

/// What was recognised of one utterance.
struct Recognised {
    size_t utterance = 0; ///< its place in the manifest
    std::string text;
};

/// Scores of one pass over a split, the same on all ranks.
struct Evaluation {
    double loss = 0; ///< mean over batches, as upstream's Brain reports it
    score::ErrorRate wer;
    score::ErrorRate cer; ///< of texts without words by unspacedUnits()
    std::string rate = "WER"; ///< the one that counts, see run::Evaluated
    std::string alignments; ///< upstream's wer_test.txt of it, in manifest order; on rank 0 only
    std::vector<Recognised> recognised; ///< in manifest order, as the model writes them
    bool interrupted = false; ///< some rank was told to end: nothing else here means anything
    std::map<std::string, double> hotwords {}; ///< percent, by the names of their curves; none
                                               ///< without a list
    /// As `recognised`, with the texts that were scored; on rank 0 only.
    std::vector<run::Utterance> utterances {};
    bool isSearched = true; ///< else neither texts nor error rates: valid_search_interval
    std::optional<double> accuracy {}; ///< percent of the labels, see LabelHits
    /// Of a test, 95 %; none of a WER that does not count, see score/bootstrap.h too.
    std::optional<score::Interval> werInterval {};
    std::optional<score::Interval> cerInterval {};

    /// All by the names of their curves: loss, WER, CER, ACC (percent), the hotwords', and of a
    /// test WER_low, WER_high, CER_low, CER_high, the ends of the intervals.
    std::map<std::string, double> figures() const;
};

/// What a validation is judged by, the less the better: min_key's figure, 100 - max_key's, or
/// without either the error rate that counts, and between equal WERs the CER. As much as there can
/// be of a figure that is not finite or was not counted, and without a key of a validation that
/// searched no texts.
double badnessOf(const Evaluation& scores, const catalog::RunOptions& options);

/// Forms the batches as one rank would, shares whole batches out over the ranks, and adds edits up
/// as integers, so the result does not depend on how many ranks there are. `goOn` is
/// asked after each batch; where it says no on some rank, all end.
Result<Evaluation> evaluate(Task& task, const Split& split, Stage stage,
    std::shared_ptr<const data::TextEncoder> encoder, const precision::Precision& precision,
    distributed::Group& group, const std::function<bool()>& goOn);

} // namespace earwright::train
