#pragma once

#include "core/data/manifest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// How an epoch is cut into batches: SpeechBrain's `sorting` and `*_dataloader_opts`, or its
/// `dynamic_batch_sampler`.
struct Batching {
    std::string sorting = "random"; ///< ascending | descending | random | original (by duration)
    int64_t batchSize = 8;
    double maxPaddedSeconds = 0; ///< of a batch of batchSize too: fewer utterances where the
                                 ///< longest, times their number, is more; 0 = no limit
    bool dropLast = false;
    bool dynamic
        = false; ///< length-bucketed batches of at most maxBatchLengthSeconds (padded) of audio
    double maxBatchLengthSeconds = 200;
    int64_t numBuckets = 20;
    int64_t maxBatchExamples = 0; ///< 0 = no limit
    bool shuffleExamples = true; ///< dynamic: upstream's `shuffle`
    std::string batchOrdering
        = "random"; ///< dynamic: random | ascending | descending (by the longest of a batch)
    std::vector<double> bucketBoundaries
        = {}; ///< dynamic: seconds, instead of numBuckets quantiles
    std::optional<int64_t> seed = {}; ///< dynamic: in place of the one that makeBatches() is given
};

/// The batches of an epoch (from 1): a pure function of its arguments. `random` and buckets are
/// shuffled with seed + epoch by torch.randperm's algorithm, so the order is upstream's and the
/// same on every machine. Source:
/// speechbrain.dataio.sampler.{ReproducibleRandomSampler,DynamicBatchSampler}.
std::vector<std::vector<int64_t>> makeBatches(const std::vector<Utterance>& utterances,
    const Batching& batching, uint64_t seed, int64_t epoch);

/// The part of a global batch that one rank of `worldSize` computes: contiguous, as equal as
/// possible (the first ranks have one more). Joined in the order of ranks the parts are the batch.
/// A batch with fewer rows than ranks goes whole to every rank: none runs a forward of nothing, and
/// the mean over ranks of equal gradients is that of the batch.
std::vector<int64_t> rankPart(const std::vector<int64_t>& batch, int64_t rank, int64_t worldSize);

/// 0 … count-1 as torch.randperm(count) draws them from a CPU generator with this seed.
std::vector<int64_t> randomPermutation(int64_t count, uint64_t seed);

/// Right ends of the buckets: quantiles of a standard lognormal distribution, scaled so that the
/// last is `maxSeconds`.
std::vector<double> lognormalBoundaries(double maxSeconds, int64_t numBuckets);

} // namespace earwright::data
