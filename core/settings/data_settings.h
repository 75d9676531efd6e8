#pragma once

#include "core/recipe/node.h"
#include "core/settings/known_key.h"
#include "core/settings/manifest_keys.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::settings {

/// Of how utterances are read, and of how batches are made of them.
inline constexpr Reader kLoaderReader { "data::Loader" };
inline constexpr Reader kBatchingReader { "data::Batching" };

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
    /// dynamic: FunASR's sampler in place of buckets. So many utterances at a time are sorted by
    /// duration and cut where rows times the longest would be more than maxBatchLengthSeconds; 0
    /// and less: none are sorted.
    std::optional<int64_t> sortSize = {};
    std::string batchOrdering
        = "random"; ///< dynamic: random | ascending | descending (by the longest of a batch);
                    ///< another leaves them as they are made
    std::vector<double> bucketBoundaries
        = {}; ///< dynamic: seconds, instead of numBuckets quantiles
    std::optional<int64_t> seed = {}; ///< dynamic: in place of the one that makeBatches() is given
};

/// Of "train", "valid" or "test": its `…_dataloader_opts` (or `…_dataloader_options`, or
/// `…_loader_kwargs`, or for all `dataloader_options`) and what makes its batches.
struct SplitSettings {
    std::string loader = {}; ///< that section: "train_dataloader_opts", the first name without one
    std::string sampler; ///< the section that makes the batches by length, as upstream's recipes
                         ///< call it: "dynamic_batch_sampler_valid"; "" where none is in use
    std::string
        lengthKey; ///< "dynamic_batch_sampler.max_batch_length" or its other name; "" = none
    Batching batching;
    int numWorkers = 2;
    int prefetchFactor = 4;
};

/// What the data side reads of a resolved recipe. A value that cannot be read is the default, and
/// the check has told.
struct DataSettings {
    std::string dataFolder; ///< "" = none
    ManifestColumns columns {}; ///< of its manifests
    int sampleRateHz = 16000; ///< at which audio is read
    double longestSeconds = std::numeric_limits<double>::infinity(); ///< avoid_if_longer_than
    double shortestSeconds = 0; ///< avoid_if_shorter_than, or MEDIA's avoid_if_smaller_than
    double longestHeardSeconds
        = std::numeric_limits<double>::infinity(); ///< avoid_if_longer_than_val_test
    SplitSettings train, valid, test;

    const SplitSettings& of(std::string_view split) const
    {
        return split == "train" ? train : split == "valid" ? valid : test;
    }
};

/// `sorting`: the run option, of training; other sets are ascending.
DataSettings dataSettings(const recipe::Node& recipe, const std::string& sorting = "random");

} // namespace earwright::settings
