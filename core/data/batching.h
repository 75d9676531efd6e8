#pragma once

#include "core/data/manifest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kymo::data {

/// How an epoch is cut into batches: SpeechBrain's `sorting` and `*_dataloader_opts`, or its `dynamic_batch_sampler`.
struct Batching {
    std::string sorting = "random"; ///< ascending | descending | random | original (by duration)
    int64_t batchSize = 8;
    bool dropLast = false;
    bool dynamic = false; ///< length-bucketed batches of at most maxBatchLengthSeconds (padded) of audio
    double maxBatchLengthSeconds = 200;
    int64_t numBuckets = 20;
    int64_t maxBatchExamples = 0; ///< 0 = no limit
};

/// The batches of an epoch (from 1): a pure function of its arguments. `random` and buckets are shuffled with seed + epoch.
std::vector<std::vector<int64_t>> makeBatches(const std::vector<Utterance>& utterances, const Batching& batching, uint64_t seed, int64_t epoch);

} // namespace kymo::data
