#pragma once

#include "core/distributed/group.h"

#include <memory>
#include <string>
#include <torch/types.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace c10d {
class Logger;
class Reducer;
}

namespace earwright::distributed {

/// What gradients are reduced in; the sum is put back into their own type.
enum class CommHook { None, Fp16, Bf16 };
CommHook parseCommHook(const std::string& name); ///< none | fp16 | bf16; anything else is none

struct SyncOptions {
    bool findUnusedParameters = false; ///< a step may leave parameters out, other ones each time
    bool gradientAsBucketView = true;
    bool staticGraph = false;
    double bucketCapMb = 25;
    CommHook commHook = CommHook::None;
    bool enabled
        = true; ///< false leaves replicas to drift: only for the proof that the checksum sees it
};

/// Averages gradients over the ranks while backward runs: c10d::Reducer, PyTorch's own DDP engine.
/// A rank alone (Group::isAlone) has none, unless a hook rounds its gradients: they stay where
/// autograd puts them. Not thread-safe; group and parameters must outlive it.
// Note [Buckets stay as they are]
// The sum over three ranks or more is taken in an order that depends on where in its bucket a value
// lies. DDP takes its first step with other buckets than the later ones, and so would a resumed
// run: its first step would differ in the last digits from that of a run that was not interrupted.
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

    /// Gradients arrive in the order of these numbers, one of each parameter; rank 0's count.
    /// Buckets filled in it are full, and reduced, as early as can be. Where a step may leave
    /// parameters out, another step may have another order: they stay in the parameters'. All ranks
    /// call it together, before the first step.
    void orderBuckets(const std::vector<int64_t>& arrivals);

    /// From the next step on parameters may be left out, as with findUnusedParameters. All ranks
    /// call it together, between steps.
    void expectUnused();
    bool expectsUnused() const { return m_findUnused; }

    /// Each parameter's gradient is to arrive once a step, in a single backward.
    bool isGraphStatic() const { return m_options.staticGraph; }

    /// How long the latest reducing backward, done with its own work, waited for the all-reduce. 0
    /// on a GPU: there the device waits, not the host.
    double waitSeconds() const { return m_waitSeconds; }

    /// Zeroes in place: gradients are views into buckets. See design note in core/README.md. Where
    /// parameters may be left out, gradients are undefined instead, as upstream's are: an optimizer
    /// passes over what no rank used, where a zero would let momentum and weight decay move it. So
    /// are those of a rank alone: autograd then neither adds to zeros nor are there any to write.
    void zeroGradients();

private:
    bool needsReducer() const;
    void makeReducer();
    std::vector<std::vector<size_t>> buckets(const std::vector<bool>& isSparse) const;
    void timeWait(const torch::Tensor& loss);
    void reduceAtEnd(const torch::Tensor& loss);

    const Group& m_group;
    const SyncOptions m_options;
    std::vector<torch::Tensor> m_parameters;
    std::unordered_map<size_t, std::string> m_names; ///< of these
    std::vector<int64_t> m_order; ///< in which gradients arrive; empty: not known
    std::shared_ptr<c10d::Reducer> m_reducer;
    std::shared_ptr<c10d::Logger> m_logger;
    bool m_findUnused;
    bool m_isStaticAndNew; ///< the first backward of a static graph is reduced at its end
    double m_waitSeconds = 0;
};

/// Checksums of each rank's parameters (exact, over their bits), compared. "" where equal, else
/// which parameter differs first and between which ranks.
std::string compareReplicas(
    const Group& group, const std::vector<std::pair<std::string, torch::Tensor>>& parameters);

} // namespace earwright::distributed
