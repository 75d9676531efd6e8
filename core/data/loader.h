#pragma once

#include "core/base/result.h"
#include "core/data/audio_cache.h"
#include "core/data/batch.h"
#include "core/data/batching.h"
#include "core/data/manifest.h"
#include "core/data/text_encoder.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// Samples of a file, at the model's rate.
struct Part {
    int64_t first = 0;
    int64_t count = 0;
};

struct LoaderOptions {
    int sampleRateHz = 16000;
    int numWorkers = 2; ///< threads; 0 reads in the caller's thread
    int prefetchFactor = 4; ///< batches kept ready a worker
    bool pinMemory = false;
    int64_t rank = 0; ///< which part of every batch to deliver: rankPart()
    int64_t worldSize = 1;
    std::vector<double> speeds = {}; ///< each utterance is played at one of these, chosen by seed,
                                     ///< epoch and ID; empty = as recorded
    std::optional<HotwordSampling> hotwords = {}; ///< fill Batch::hotwords, by seed, epoch and ID
    std::vector<settings::UtteranceLabel> utteranceLabels = {}; ///< fill Batch::labels
    uint64_t seed = 0;
    int64_t epoch = 1;
    std::shared_ptr<AudioCache> cache
        = nullptr; ///< shared by the loaders of all epochs; null = nothing is kept
    /// Told of an utterance that cannot be read, which is left out of its batch (that may be left
    /// without rows); from any thread. Empty = it is an error.
    std::function<void(int64_t index, const std::string& why)> leaveOut = {};
    std::vector<Part> parts
        = {}; ///< of each utterance's file, as recorded; empty = the whole files
};

/// Reads the batches of one epoch ahead of the training step on threads of its own, in the order of
/// the batching whatever the number of workers. A worker's error is returned by the next() of the
/// batch it belongs to, naming the utterance. All calls from one thread.
class Loader final {
public:
    /// `batches`: lists of indices into `utterances` in the order to deliver: whole batches, the
    /// same on every rank. Each rank decodes its own part and takes the others' lengths from the
    /// files' headers, so that all pad alike.
    Loader(std::shared_ptr<const std::vector<Utterance>> utterances,
        std::vector<std::vector<int64_t>> batches, std::shared_ptr<const TextEncoder> encoder,
        LoaderOptions options);
    ~Loader(); ///< stops the threads; waits for at most one file each

    /// The next batch, or nothing at the end of the epoch. Blocks until it is ready; waitSeconds()
    /// tells how long. A batch with fewer utterances than ranks (`wholeSize < worldSize`) comes
    /// whole to every rank: weigh it by 1 / worldSize.
    Result<std::optional<Batch>> next();
    double waitSeconds() const; ///< spent in next() so far

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::data
