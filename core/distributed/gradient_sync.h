#pragma once

#include "core/distributed/group.h"

#include <memory>
#include <string>
#include <torch/torch.h>
#include <utility>
#include <vector>

namespace c10d {
class Reducer;
}

namespace kymo::distributed {

/// What gradients are reduced in; the sum is put back into their own type.
enum class CommHook { None, Fp16, Bf16 };
CommHook parseCommHook(const std::string& name); ///< none | fp16 | bf16; anything else is none

struct SyncOptions {
    bool findUnusedParameters = false;
    bool gradientAsBucketView = true;
    bool staticGraph = false;
    double bucketCapMb = 25;
    CommHook commHook = CommHook::None;
    bool enabled
        = true; ///< false leaves replicas to drift: only for the proof that the checksum sees it
};

/// Averages gradients over the ranks while backward runs: c10d::Reducer, PyTorch's own DDP engine.
/// A group of one is the same code. Not thread-safe; the parameters must outlive it.
class GradientSync final {
public:
    /// Checks that all ranks hold the same shapes, then takes rank 0's values of parameters and
    /// buffers.
    GradientSync(const Group& group, std::vector<std::pair<std::string, torch::Tensor>> parameters,
        const std::vector<torch::Tensor>& buffers, const SyncOptions& options);
    ~GradientSync();

    /// Before the forward of a stepping micro-batch.
    void beforeForward();
    /// After it: the backward of `loss` will reduce. Micro-batches that only accumulate call
    /// neither.
    void beforeBackward(const torch::Tensor& loss);
    /// After a backward that ended in an exception: the backward of `rest` will hand in the
    /// gradients that are missing, so that the reduction goes on where it stopped and the other
    /// ranks get what they wait for.
    void resumeBackward(const torch::Tensor& rest);

    /// How long the latest reducing backward, done with its own work, waited for the all-reduce. 0
    /// on a GPU: there the device waits, not the host.
    double waitSeconds() const { return m_waitSeconds; }

    /// Zeroes in place: gradients are views into buckets. See design note in core/README.md.
    void zeroGradients();

private:
    void timeWait(const torch::Tensor& loss);
    void reduceAtEnd(const torch::Tensor& loss);

    std::vector<torch::Tensor> m_parameters;
    std::unique_ptr<c10d::Reducer> m_reducer;
    bool m_findUnused;
    bool m_isStaticAndNew; ///< the first backward of a static graph is reduced at its end
    double m_waitSeconds = 0;
};

/// Checksums of each rank's parameters (exact, over their bits), compared. "" where equal, else
/// which parameter differs first and between which ranks.
std::string compareReplicas(
    const Group& group, const std::vector<std::pair<std::string, torch::Tensor>>& parameters);

} // namespace kymo::distributed
