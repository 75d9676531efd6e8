#pragma once

#include "core/train/task/batch_parts.h"

#include <string>

namespace earwright::train {

// Note [Losses of several units]
// A task with two losses may have a mean over tokens in one and a sum in the other. A share of the
// sum of both would be wrong for one of them, so each is divided by what the whole optimizer step
// holds, not by what its part holds: the parts' losses then simply add up (LossUnit::Sum).

/// How one of several losses counts.
struct LossTerm {
    std::string reduction; ///< to call the loss function with
    LossUnit over = LossUnit::Utterances; ///< what the step's loss is the mean over; Sum: nothing
    bool isMean = true; ///< the function divides by the part's utterances or tokens already
    int64_t endTokens = 0; ///< tokens a row has besides its text (<eos>)
};

/// speechbrain.nnet.losses.ctc_loss, summed over what it returns, as upstream's train.py does.
/// lossWeighting: the run option.
LossTerm ctcTerm(const std::string& reduction, const std::string& lossWeighting);
/// nll_loss (and kldiv_loss without smoothing, which is the same), over texts with <eos>.
LossTerm nllTerm(const std::string& reduction, const std::string& lossWeighting);
/// kldiv_loss with smoothing, whose mean is a sum.
LossTerm kldivTerm(const std::string& reduction, const std::string& lossWeighting);

/// What the loss of a part is multiplied by, so that the parts of a step add up to its loss.
double factorOf(const LossTerm& term, const data::Batch& part);

} // namespace earwright::train
