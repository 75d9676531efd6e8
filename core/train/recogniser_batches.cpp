#include "core/data/audio_cache.h"
#include "core/data/batch_reader.h"
#include "core/data/batching.h"
#include "core/data/silent_cuts.h"
#include "core/train/join_segments.h"
#include "core/train/recogniser.h"

#include <limits>

namespace earwright::train {

namespace {

/// Of an utterance of a batch, with its padding: a long one goes alone, or beside few, and no set
/// of utterances as corpora have them is batched in another way than by their number.
constexpr double kMostSecondsARow = 60;

using Utterances = std::vector<data::Utterance>;
using Batches = std::vector<std::vector<int64_t>>;

Batches batchesOf(const Utterances& utterances, const std::string& sorting, int64_t batchSize)
{
    return data::makeBatches(utterances,
        { .sorting = sorting,
            .batchSize = batchSize,
            .maxPaddedSeconds = kMostSecondsARow * static_cast<double>(batchSize) },
        0, 1);
}

/// Takes them out of their batches, in their order.
std::vector<int64_t> takeLong(Batches& batches, const Utterances& utterances, double maxSeconds)
{
    std::vector<int64_t> found;
    for (std::vector<int64_t>& batch : batches)
        std::erase_if(batch, [&](int64_t place) {
            const bool isLong = utterances[static_cast<size_t>(place)].durationSeconds > maxSeconds;
            if (isLong)
                found.push_back(place);
            return isLong;
        });
    std::erase_if(batches, [](const std::vector<int64_t>& batch) { return batch.empty(); });
    return found;
}

/// Of a sound of `numSamples` that is cut at `begins`.
std::vector<data::Part> partsOf(const std::vector<int64_t>& begins, int64_t numSamples)
{
    std::vector<data::Part> parts;
    for (size_t i = 0; i < begins.size(); ++i) {
        const int64_t end = i + 1 < begins.size() ? begins[i + 1] : numSamples;
        parts.push_back({ begins[i], end - begins[i] });
    }
    return parts;
}

/// One for each part, which the loader reads of the same file.
Utterances segmentsOf(
    const data::Utterance& utterance, const std::vector<data::Part>& parts, int sampleRateHz)
{
    Utterances segments;
    for (const data::Part& part : parts) {
        segments.push_back(utterance);
        segments.back().durationSeconds = static_cast<double>(part.count) / sampleRateHz;
    }
    return segments;
}

/// What needs more memory than there is throws.
Result<data::AudioCache::Samples> wholeSound(
    data::AudioCache& cache, const std::string& wav, int sampleRateHz)
{
    try {
        return cache.samples(wav, sampleRateHz);
    } catch (const std::exception& thrown) {
        return Error { "cannot read audio '" + wav + "': " + thrown.what() };
    }
}

} // namespace

struct Recogniser::Work {
    std::shared_ptr<const Utterances> utterances;
    Batches batches;
    data::LoaderOptions loading;
    std::vector<Heard> heard; ///< of each utterance
};

Status Recogniser::recogniseBatches(Work& work, const Tell& tell, const GoOn& goOn)
{
    data::Loader loader(work.utterances, work.batches, m_encoder, work.loading);
    for (const std::vector<int64_t>& places : work.batches) {
        Result<std::optional<data::Batch>> batch = loader.next();
        if (!batch)
            return batch.error();
        if (*batch && !(*batch)->ids.empty()) {
            Result<std::vector<Heard>> heard = decodeBatch(**batch, goOn);
            if (!heard)
                return heard.error();
            for (size_t row = 0; row < heard->size(); ++row)
                work.heard[static_cast<size_t>((*batch)->indices[row])] = std::move((*heard)[row]);
        }
        Status told = Done {};
        for (const int64_t place : places)
            if (const auto at = static_cast<size_t>(place); tell)
                if (Status one = tell(at, work.heard[at]); !one && told)
                    told = std::move(one);
        if (!told)
            return told;
        if (goOn && !goOn())
            return Error { "stopped" };
    }
    return Done {};
}

/// The sound is in memory once, as long as it is heard; nothing else of its length is.
Result<Heard> Recogniser::recogniseLong(
    const data::Utterance& utterance, int64_t batchSize, const GoOn& goOn)
{
    Work work;
    work.loading.sampleRateHz = m_sampleRateHz;
    work.loading.cache = std::make_shared<data::AudioCache>(std::numeric_limits<size_t>::max());
    const auto samples = wholeSound(*work.loading.cache, utterance.wav, m_sampleRateHz);
    if (!samples)
        return Heard { .problem = data::inUtterance(utterance, samples.error()).message };
    const int64_t frameSamples = m_frameRate ? m_frameRate->frameSamples() : 1;
    work.loading.parts = partsOf(data::cutAtSilence(**samples,
                                     { .sampleRateHz = m_sampleRateHz,
                                         .maxSeconds = m_maxSegmentSeconds,
                                         .stepSamples = frameSamples }),
        std::ssize(**samples));
    work.utterances = std::make_shared<const Utterances>(
        segmentsOf(utterance, work.loading.parts, m_sampleRateHz));
    work.batches = batchesOf(*work.utterances, "original", batchSize);
    work.heard.resize(work.utterances->size());
    if (const Status done = recogniseBatches(work, {}, goOn); !done)
        return done.error();
    return joinSegments(work.heard,
        { .parts = work.loading.parts,
            .sampleRateHz = m_sampleRateHz,
            .frameSamples = frameSamples,
            .topk = m_topk });
}

Result<Heard> Recogniser::recogniseByWindows(const data::Utterance& utterance, const GoOn& goOn)
{
    Work work { .utterances = std::make_shared<const Utterances>(Utterances { utterance }),
        .batches = { { 0 } },
        .loading = { .sampleRateHz = m_sampleRateHz },
        .heard = std::vector<Heard>(1) };
    work.loading.leaveOut
        = [&work](int64_t, const std::string& why) { work.heard.front().problem = why; };
    if (const Status done = recogniseBatches(work, {}, goOn); !done)
        return done.error();
    return std::move(work.heard.front());
}

Result<std::vector<Heard>> Recogniser::recognise(
    const Utterances& utterances, int64_t batchSize, const Tell& tell, const GoOn& goOn)
{
    auto silent = std::make_shared<Utterances>(utterances);
    for (data::Utterance& utterance : *silent)
        utterance.text.clear(); // it may hold what the model has no label for
    Work work { .utterances = silent,
        .batches = batchesOf(*silent, "ascending", batchSize),
        .loading = { .sampleRateHz = m_sampleRateHz },
        .heard = std::vector<Heard>(utterances.size()) };
    const std::vector<int64_t> longOnes = takeLong(work.batches, *silent, m_maxSegmentSeconds);
    work.loading.leaveOut = [&work](int64_t index, const std::string& why) {
        work.heard[static_cast<size_t>(index)].problem = why; // each by one thread, once
    };
    if (const Status done = recogniseBatches(work, tell, goOn); !done)
        return done.error();
    for (const int64_t place : longOnes) {
        const auto at = static_cast<size_t>(place);
        Result<Heard> heard = m_timed ? recogniseByWindows((*silent)[at], goOn)
                                      : recogniseLong((*silent)[at], batchSize, goOn);
        if (!heard)
            return heard.error();
        work.heard[at] = std::move(*heard);
        if (const Status told = tell ? tell(at, work.heard[at]) : Done {}; !told)
            return told.error();
    }
    return std::move(work.heard);
}

} // namespace earwright::train
