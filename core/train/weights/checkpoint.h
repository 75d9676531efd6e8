#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// By name.
using Tensors = std::map<std::string, torch::Tensor>;

/// Of an epoch that optimizer_step_limit ended before its last batch: where it goes on if the limit
/// is raised, as if it had been so from the start.
struct CutEpoch {
    int64_t batchesDone = 0; ///< 0 = the epoch was not cut
    std::string schedule; ///< Schedule::state() before the epoch was counted
    double learningRate = 0; ///< likewise
};

/// Where a run stands: everything that must come back for it to go on as if it had never stopped.
struct Progress {
    int64_t epoch = 1; ///< the one under way, from 1
    int64_t batchesDone = 0; ///< of this epoch
    int64_t step = 0; ///< optimizer steps done
    double bestMetric = -1; ///< of the best checkpoint so far; -1 = none yet
    int64_t attempt = 0;
    double validLoss = 0; ///< of the latest validation
    std::string schedule; ///< Schedule::state()
    std::vector<std::string> memoryPlans {}; ///< MemoryPlan::text() of each rank
    CutEpoch cut {}; ///< the one before `epoch`
    std::string scheduleOf {}; ///< checksum of the schedule's arguments; "" = not known
    int64_t totalSteps = 0; ///< that the schedule was laid out over
};

/// A checkpoint that went into a mean.
struct CheckpointPart {
    std::string name; ///< "step-400"
    std::string sha256; ///< of its weights
    bool operator==(const CheckpointPart&) const = default;
};

/// One checkpoint in memory.
struct Checkpoint {
    Progress progress;
    Tensors model; ///< parameters and buffers under upstream's names below the keys of `modules`
    Tensors training; ///< optimizer, loss scale, generators of all ranks
    double metric = -1; ///< badnessOf() the validation of these very weights; -1 = there was none
    std::vector<CheckpointPart> averaged {}; ///< what they are the mean of, newest first
};

/// A folder `step-<n>` below `checkpoints/`: model.safetensors, training.safetensors and, written
/// last, manifest.json with the size and SHA-256 of both and the name of the best checkpoint so
/// far: this one where `best`. It is built under another name and renamed whole, each part on the
/// disk before the next, so kill -9, a full disk or a power failure at any byte leaves what was
/// there before. A file system that cannot exchange two names (NFS, Lustre, CIFS) has for a moment
/// only `step-<n>.old`, which is then read in its place and which the next save puts back. Then
/// older ones are deleted that are neither the best nor of the `kept` that
/// bestCheckpoints() names, and what a killed save left. A save that repeats weights which were
/// validated under this name keeps their metric.
Result<std::string> saveCheckpoint(
    const std::filesystem::path& folder, const Checkpoint& checkpoint, bool best, size_t kept = 1);

/// The same for one folder of any name: `path` is replaced whole. It is no checkpoint of the run:
/// the functions of checkpoint_folder.h look at `step-<n>` only.
Status writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Checks sizes and checksums before it reads: an incomplete or changed checkpoint is an Error that
/// says which file.
Result<Checkpoint> loadCheckpoint(const std::filesystem::path& path);
/// Checkpoint::model alone, with the same checks: what a training goes on by is not read into
/// memory, where it would often take more than the weights.
Result<Tensors> loadModel(const std::filesystem::path& path);

/// What a checkpoint is as a part of a mean. An error where it is not complete.
Result<CheckpointPart> partOf(const std::filesystem::path& path);
/// What a checkpoint is the mean of; nothing where there is none or it is no mean.
std::vector<CheckpointPart> averagedIn(const std::filesystem::path& path);

} // namespace earwright::train
