#pragma once

#include "core/decode/ctc_vocabulary.h"
#include "core/decode/hotwords.h"
#include "core/decode/ngram.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace earwright::decode {

/// What upstream's CTC searchers are called with, by its names and defaults.
struct CtcBeamOptions {
    int64_t beamSize = 100;
    double beamPruneLogp = -10.0; ///< beams further below the best are dropped
    double tokenPruneMinLogp = -5.0; ///< outputs below are not tried, but for the best of a frame
    bool pruneHistory = true; ///< of beams that an n-gram cannot tell apart, the best: for topk 1
    double blankSkipThreshold = 1.0; ///< frames whose blank is more probable are passed over
    int64_t topk = 1;
};

/// A word and its frames, the last one not included.
struct WordFrames {
    std::string word;
    int32_t begin = -1;
    int32_t end = -1;
};

struct CtcHypothesis {
    std::string text; ///< words separated by single blanks
    double score = 0; ///< nats, of the acoustics
    double rank = 0; ///< with language model and hotwords: upstream's lm_score
    std::vector<WordFrames> words;
};

/// What a search is made of. The pointers may be null.
struct CtcSearchSetting {
    CtcVocabulary vocabulary;
    CtcBeamOptions options;
    std::shared_ptr<const NgramScorer> scorer;
    std::shared_ptr<const Hotwords> hotwords;
};

/// Log-probabilities of one utterance on the CPU: `frames` rows, `stride` floats apart, of `width`
/// outputs. Outputs beyond the vocabulary are not searched.
struct LogProbs {
    const float* data = nullptr;
    int64_t frames = 0;
    int64_t stride = 0;
    int64_t width = 0;
};

/// speechbrain.decoders.ctc.CTCBeamSearcher: a beam is its words and its last output; beams that
/// spell the same merge, the later one's word times stay. Scores add up in float32 as upstream's
/// do. Best first, `topk` at most; none where a log-probability is NaN.
std::vector<CtcHypothesis> ctcBeamSearch(const CtcSearchSetting& setting, const LogProbs& logProbs);

/// speechbrain.decoders.ctc.CTCPrefixBeamSearcher (Hannun et al. 2014): blank and non-blank
/// probability of each prefix apart. Upstream's words lose the second of two equal letters there,
/// so that language model and word times are better in ctcBeamSearch().
std::vector<CtcHypothesis> ctcPrefixBeamSearch(
    const CtcSearchSetting& setting, const LogProbs& logProbs);

} // namespace earwright::decode
