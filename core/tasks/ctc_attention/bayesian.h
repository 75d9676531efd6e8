#pragma once

#include "core/tasks/spec.h"

#include <optional>

namespace earwright::tasks::ctc_attention {

/// What the keys of a recipe for upstream's train_bayesspeech.py say: the weights of the
/// Transformer's feed-forward layers are drawn (model/transformer/weight_posterior.h).
struct Bayesian {
    double klWeight = 0; ///< kl_div_weight
    double priorLogScale = -1; ///< normal_prior_log_scale
    double softplusInvScale = -5; ///< normal_posterior_softplus_inv_scale
    int64_t evalSamples = 1; ///< num_eval_mc_samples: passes whose mean an evaluation takes
};

const std::vector<settings::KnownKey>& bayesianKeys();
/// Nothing where the recipe has none of the keys. What cannot be read is the default above.
std::optional<Bayesian> bayesianOf(const recipe::Node& recipe);
/// Each of the keys needs the others, and its range.
void checkBayesian(const Checked& recipe, settings::Diagnostics& found);

} // namespace earwright::tasks::ctc_attention
