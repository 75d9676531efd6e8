#include "core/train/cpu_memory.h"
#include "core/train/memory/fitting_pass.h"

#include <utility>

namespace earwright::train {

namespace {

/// What an exception has left in the engine's queue holds the graph, and all that the forward saved
/// in it. The next backward on the device, however small, drops it first.
void dropGraph(c10::Device device)
{
    torch::zeros({}, torch::TensorOptions(device).requires_grad(true)).mul(1).backward();
}

} // namespace

int64_t FittingPass::partsPlanned(const Part& part) const
{
    return whyWhole(part).empty()
        ? plan.parts(std::ssize(part.batch.ids), part.batch.wavs_BT.size(1))
        : 1;
}

/// And what to do about it; "" = parts of it make the same step.
std::string FittingPass::whyWhole(const Part& part) const
{
    const std::string remedy = "lower batch_size and raise grad_accumulation_factor";
    if (m_sharesBatchNorm)
        return "BatchNorm takes its statistics from all ranks: " + remedy
            + ", or set sync_batchnorm: False";
    if (m_sharesFeatures && part.features.requires_grad())
        return "norm_type: batch takes the statistics of features that learn from all ranks: "
            + remedy + ", or take norm_type: sentence";
    return {};
}

/// In how many parts to go on with what failed in `count`. Throws where there is nothing left to do
/// about it.
int64_t FittingPass::learn(const Part& part, const Failure& failure, int64_t count)
{
    using Of = distributed::MemoryShortage::Of;
    const std::string cause = " (" + failure.during + ": " + failure.shortage.cause + ")";
    // The reducer could not go on where it stopped, and the other ranks wait in that sum.
    if (failure.shortage.of == Of::Collective)
        throw std::runtime_error(
            "no memory for a sum over the ranks" + cause + ": lower batch_size or bucket_cap_mb");
    if (const std::string why = whyWhole(part); !why.empty())
        throw std::runtime_error(std::to_string(failure.batch.ids.size())
            + " utterances do not fit into memory, the longest "
            + longestOf(failure.batch, m_in.sampleRateHz) + cause
            + "; they cannot be computed in parts, as " + why);
    if (failure.shortage.of == Of::Library && !std::exchange(m_hasGivenBack, true)) {
        dropGraph(m_in.device);
        releaseCached(m_in.device);
        return count;
    }
    if (failure.batch.ids.size() == 1)
        throw std::runtime_error(longestOf(failure.batch, m_in.sampleRateHz)
            + " does not fit into memory by itself" + cause
            + ": take the longest utterances out of the training manifest or cut them, use a "
              "smaller model, or precision: bf16");
    plan.tooMuch(std::ssize(failure.batch.ids), failure.batch.wavs_BT.size(1));
    m_in.report({ part.batch, failure.during, failure.shortage.cause,
        std::min(2 * count, std::ssize(part.batch.ids)) });
    dropGraph(m_in.device);
    releaseCached(m_in.device);
    return 2 * count;
}

} // namespace earwright::train
