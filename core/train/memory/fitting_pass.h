#pragma once

#include "core/distributed/gradient_sync.h"
#include "core/distributed/memory_shortage.h"
#include "core/precision/precision.h"
#include "core/train/generators.h"
#include "core/train/memory/memory_plan.h"
#include "core/train/task/task.h"

#include <functional>
#include <string>
#include <vector>

namespace earwright::train {

/// A batch, or a part of one, that did not fit into memory.
struct NotFitting {
    const data::Batch& batch;
    std::string during; ///< forward | backward
    std::string cause; ///< the allocator's words, or a library's: how much was asked for
    int64_t parts = 0; ///< it is computed again in so many
};

/// What a pass works with; all outlive it.
struct PassSetting {
    Task& task;
    precision::Precision& precision;
    distributed::GradientSync& sync;
    const distributed::Group& group;
    const std::vector<std::pair<std::string, torch::Tensor>>& parameters;
    c10::Device device;
    int sampleRateHz = 16000;
    bool syncBatchnorm = true;
    std::function<void(const NotFitting&)> report;
};

// Note [A batch that does not fit]
// Forward or backward ended in an out-of-memory error. Generators and BatchNorm's statistics are
// put back, and the gradients are computed in two, four, … parts, for those parameters only that
// this backward has not reached yet: the others have the whole batch's gradient, and the reducer
// may be adding it up over the ranks already. The sum of the parts is then handed in by a backward
// of its own, so that the reducer goes on where it stopped. The other ranks see a slow rank and
// nothing else: they need not be told and nobody votes. A step that fits pays for a copy of the
// generators' state and of BatchNorm's statistics, and a hook per parameter. The features are
// computed once, so that the parts have the whole batch's normalisation and augmentation; where
// they learn, all parts go back through their graph, which is therefore kept. Dropout draws other
// masks for other shapes. A library of the GPU takes its memory beside LibTorch's allocator, which
// keeps what it does not use: that is given back first, and the batch computed whole once more.

/// Forward and backward of one micro-batch on one rank, in as many parts as its memory asks for.
class FittingPass final {
public:
    explicit FittingPass(const PassSetting& setting);
    ~FittingPass();
    FittingPass(const FittingPass&) = delete;
    FittingPass& operator=(const FittingPass&) = delete;

    /// Adds the gradients of the batch's loss times `share`; `last`: of this step, which sums them
    /// over the ranks. Returns that loss. Throws std::runtime_error with the utterance where one
    /// alone does not fit, and where the parts would not be the batch: under BatchNorm over ranks.
    torch::Tensor run(const data::Batch& batch, double share, bool last);
    /// The gradients of a batch's loss, or of the first part of it that fits, and nothing changed
    /// but what is drawn: undefined for parameters that take no part.
    std::vector<torch::Tensor> dryGradients(const data::Batch& batch);
    /// Whose statistics are each part's own.
    bool hasBatchNorm() const { return m_hasBatchNorm; }

    MemoryPlan plan; ///< what this rank has learnt; kept in the checkpoints

private:
    struct Part {
        data::Batch batch;
        torch::Tensor features;
        double share = 1;
    };
    struct Sum; ///< over parts: their loss and the gradients of some parameters
    struct Failure {
        data::Batch batch; ///< computed at once
        std::string during;
        distributed::MemoryShortage shortage;
    };
    int64_t partsPlanned(const Part& part) const;
    std::string whyWhole(const Part& part) const;
    Part whole(const data::Batch& batch, double share);
    std::vector<Part> cutUp(const Part& part, int64_t count) const;
    torch::Tensor loss(const Part& part);
    torch::Tensor runPart(const Part& part, bool last);
    torch::Tensor replay(const Part& part, const Failure& failure, const Draws& draws, bool last);
    torch::Tensor summed(const Part& part, int64_t count, const std::vector<torch::Tensor>& inputs,
        const Draws& draws, bool last, bool isReducing);
    std::vector<torch::Tensor> allParameters() const;
    Sum sumOf(
        const std::vector<Part>& parts, const std::vector<torch::Tensor>& inputs, Failure& at);
    void handIn(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& sums,
        bool last, bool isReducing);
    int64_t learn(const Part& part, const Failure& failure, int64_t count);
    std::optional<distributed::Pulse::Wait> waiting(bool last) const;
    std::vector<torch::Tensor> unreached() const;
    void keepStatistics();
    void restoreStatistics();

    const PassSetting m_in;
    bool m_hasGivenBack = false; ///< what the allocator kept, in this micro-batch
    bool m_hasBatchNorm = false;
    bool m_sharesBatchNorm = false; ///< no rank may compute on its own
    bool m_sharesFeatures = false; ///< nor where they learn
    std::vector<torch::Tensor> m_statistics; ///< BatchNorm's, changed by a forward
    std::vector<torch::Tensor> m_kept;
    std::vector<char> m_isReached; ///< by this backward, in the parameters' order
};

} // namespace earwright::train
