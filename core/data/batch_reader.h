#pragma once

#include "core/base/result.h"
#include "core/data/audio_cache.h"
#include "core/data/batch.h"
#include "core/data/loader.h"
#include "core/data/manifest.h"
#include "core/data/resample.h"
#include "core/data/text_encoder.h"
#include "core/data/utterance_labels.h"

#include <atomic>
#include <memory>
#include <vector>

namespace earwright::data {

/// With the utterance and its manifest line named.
Error inUtterance(const Utterance& utterance, const Error& error);

/// Turns the indices of a whole batch into this rank's padded tensors. Safe from any thread.
class BatchReader final {
public:
    BatchReader(std::shared_ptr<const std::vector<Utterance>> utterances,
        std::shared_ptr<const TextEncoder> encoder, LoaderOptions options);

    /// Gives up early once `isStopped`. Errors name the utterance, its manifest line and the file
    /// or character.
    Result<Batch> read(const std::vector<int64_t>& whole, const std::atomic<bool>& isStopped) const;

private:
    struct Row;
    Result<AudioCache::Samples> samplesOf(int64_t index, Ratio speed) const;
    Result<AudioCache::Samples> recorded(int64_t index) const;
    Result<Row> readOwn(int64_t index) const;
    Result<Row> measure(int64_t index) const;
    Result<Row> describe(int64_t index) const;
    std::vector<HotwordSpan> sampledFrom(
        const std::vector<int64_t>& tokens, const Chance& chance) const;
    std::vector<std::vector<int64_t>> distractors(const std::string& id) const;
    const Utterance& utterance(int64_t index) const
    {
        return (*m_utterances)[static_cast<size_t>(index)];
    }
    Error at(int64_t index, const Error& error) const
    {
        return inUtterance(utterance(index), error);
    }
    Batch collate(const std::vector<Row>& rows, int64_t maxSamples, int64_t maxTokens) const;

    // Constant after construction.
    std::shared_ptr<const std::vector<Utterance>> m_utterances;
    std::shared_ptr<const TextEncoder> m_encoder;
    std::vector<std::string> m_labels; ///< where whole words are hotwords
    LoaderOptions m_options;
    UtteranceLabels m_utteranceLabels;
};

} // namespace earwright::data
