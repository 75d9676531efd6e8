#pragma once

#include "core/base/result.h"
#include "core/data/batching.h"
#include "core/data/manifest.h"
#include "core/data/text_encoder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <torch/torch.h>
#include <vector>

namespace kymo::data {

/// A padded batch, float32 and int64 on the CPU (pinned where `pinMemory`).
struct Batch {
    torch::Tensor wavs_BT; ///< zero padded to the longest of the whole batch, also where this rank has a part of it
    torch::Tensor wavLens_B; ///< relative lengths, float32
    torch::Tensor tokens_BL; ///< padded with 0
    torch::Tensor tokenLens_B; ///< relative lengths, float32
    std::vector<std::string> ids;
    std::vector<std::string> texts;
    std::vector<int64_t> indices; ///< into the dataset: WER files are written in manifest order
    double audioSeconds = 0;
};

struct LoaderOptions {
    int sampleRateHz = 16000;
    int numWorkers = 2; ///< threads; 0 reads in the caller's thread
    int prefetchFactor = 4; ///< batches kept ready a worker
    bool pinMemory = false;
};

/// Reads the batches of one epoch ahead of the training step on threads of its own, in the order of the batching whatever the
/// number of workers. A worker's error is returned by the next() of the batch it belongs to, naming the utterance.
class Loader final {
public:
    /// `batches`: lists of indices into `utterances` in the order to deliver (this rank's part already chosen).
    Loader(std::shared_ptr<const std::vector<Utterance>> utterances, std::vector<std::vector<int64_t>> batches,
        std::shared_ptr<const TextEncoder> encoder, LoaderOptions options);
    ~Loader(); ///< stops the threads

    /// The next batch, or nothing at the end of the epoch. Blocks until it is ready; waitSeconds() tells how long.
    Result<std::optional<Batch>> next();
    double waitSeconds() const; ///< spent in next() so far

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kymo::data
