#pragma once

#include "core/data/manifest.h"
#include "core/settings/data_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

using settings::Batching;

/// The batches of an epoch (from 1): a pure function of its arguments. `random` and buckets are
/// shuffled with seed + epoch by torch.randperm's algorithm, so the order is upstream's and the
/// same on every machine. Source:
/// speechbrain.dataio.sampler.{ReproducibleRandomSampler,DynamicBatchSampler}; with `sortSize`
/// funasr.datasets.audio_datasets.samplers.
std::vector<std::vector<int64_t>> makeBatches(const std::vector<Utterance>& utterances,
    const Batching& batching, uint64_t seed, int64_t epoch);
/// The same by nothing but the utterances' durations.
std::vector<std::vector<int64_t>> makeBatches(const std::vector<double>& durationsSeconds,
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
