#include "core/train/loop/non_finite_check.h"

#include "core/base/text.h"
#include "core/distributed/group.h"

#include <cmath>

namespace earwright::train {

namespace {

/// Below it the scale only takes away digits: the gradients are too large for fp16 by themselves,
/// or not finite in any type.
constexpr double kLeastUsefulScale = 1;

/// What to try against numbers that are not finite. maxGradNorm: the recipe's, 0 = not set.
std::string remedy(bool lossFinite, bool scaling, double maxGradNorm)
{
    if (!lossFinite)
        return "lower the learning rate"
            + (maxGradNorm > 0 ? " or max_grad_norm (" + formatNumber(maxGradNorm) + ")"
                               : std::string(", set max_grad_norm"))
            + ", or look at these utterances";
    if (scaling)
        return "they exceed fp16 at a loss scale below 1 too: use precision: bf16, lower the "
               "learning rate, or look at these utterances";
    return "lower the learning rate, set skip_nonfinite_grads: True, which leaves such steps out, "
           "or look at these utterances";
}

} // namespace

Status NonFiniteCheck::check(const Reading& reading)
{
    const bool lossFinite = std::isfinite(reading.loss);
    if (lossFinite && !reading.foundInf) {
        m_inARow = 0;
        return Done {};
    }
    const bool scaling = reading.lossScale > 0;
    const bool skipping = m_in.plan.options.skipNonfiniteGrads;
    const bool isOfOthers = !lossFinite && reading.isLossFinite; // who name their utterances
    if (!isOfOthers)
        m_in.events.write({ .payload = run::NonFinite { .step = reading.step,
                                .what = lossFinite ? "gradient" : "loss",
                                .utterances = reading.utterances,
                                .skipped = reading.foundInf && (scaling || skipping) } });
    const bool isAnswered = scaling ? reading.lossScale >= kLeastUsefulScale : skipping;
    if (lossFinite && isAnswered)
        return Done {}; // left out as asked for, or an overflow that the loss scale answers
    m_inARow += 1;
    if (!m_first) // all ranks see the same step as the first
        m_first = isOfOthers
            ? ""
            : std::string(lossFinite ? "the gradients" : "the loss") + " of a batch with "
                + named(reading.utterances) + " at step " + std::to_string(reading.step);
    if (m_inARow <= m_in.plan.options.nonfinitePatience)
        return Done {};
    const std::string what = (lossFinite ? "the gradients were" : "the loss was")
        + (" not finite in " + std::to_string(m_inARow)) + " steps in a row, last at step "
        + std::to_string(reading.step);
    if (isOfOthers)
        throw distributed::Echo(what);
    return Error { what + " in a batch with " + named(reading.utterances) + ": "
        + remedy(lossFinite, scaling, m_in.plan.options.maxGradNorm) };
}

} // namespace earwright::train
