#include "core/data/batch_reader.h"

#include "core/data/batching.h"
#include "core/data/doctor.h"
#include "core/data/resample.h"
#include "core/data/speed.h"

#include <algorithm>
#include <utility>

namespace earwright::data {

/// One utterance of a batch; `samples` only where it belongs to this rank.
struct BatchReader::Row {
    int64_t index = 0;
    Ratio speed;
    std::vector<int64_t> tokens;
    std::vector<int64_t> labels;
    std::vector<HotwordSpan> hotwords;
    int64_t numSamples = 0;
    AudioCache::Samples samples;
};

namespace {

torch::Tensor empty(std::vector<int64_t> shape, torch::ScalarType type, bool isPinned)
{
    return torch::empty(shape, torch::TensorOptions(type).pinned_memory(isPinned));
}

/// A row of a padded tensor: the values, then zeros. By hand: torch::zeros would start OpenMP's
/// threads in every worker.
template <class T>
void fillRow(const torch::Tensor& rows, int64_t row, const std::vector<T>& values)
{
    T* begin = rows.data_ptr<T>() + row * rows.size(1);
    std::fill(std::copy(values.begin(), values.end(), begin), begin + rows.size(1), T {});
}

float relative(int64_t length, int64_t longest)
{
    return static_cast<float>(static_cast<double>(length) / static_cast<double>(longest));
}

} // namespace

Error inUtterance(const Utterance& utterance, const Error& error)
{
    const std::string line
        = utterance.line > 0 ? " (manifest line " + std::to_string(utterance.line) + ")" : "";
    return Error { "utterance '" + utterance.id + "'" + line + ": " + error.message };
}

BatchReader::BatchReader(std::shared_ptr<const std::vector<Utterance>> utterances,
    std::shared_ptr<const TextEncoder> encoder, LoaderOptions options)
    : m_utterances(std::move(utterances))
    , m_encoder(std::move(encoder))
    , m_options(std::move(options))
    , m_utteranceLabels(m_options.utteranceLabels, *m_encoder)
{
    if (!m_options.cache)
        m_options.cache = std::make_shared<AudioCache>(0);
    if (m_options.hotwords && m_options.hotwords->areWords)
        m_labels = m_encoder->searchLabels();
}

Result<BatchReader::Row> BatchReader::describe(int64_t index) const
{
    Result<std::vector<int64_t>> tokens = m_encoder->encode(utterance(index).text);
    if (!tokens)
        return at(index, tokens.error());
    Result<std::vector<int64_t>> labels = m_utteranceLabels.tokensOf(utterance(index));
    if (!labels)
        return at(index, labels.error());
    Row row;
    row.index = index;
    row.labels = std::move(*labels);
    row.speed = speedRatio(
        chooseSpeed(m_options.speeds, m_options.seed, m_options.epoch, utterance(index).id));
    row.tokens = std::move(*tokens);
    if (m_options.hotwords)
        row.hotwords = sampledFrom(
            row.tokens, chanceOf(m_options.seed, m_options.epoch, utterance(index).id));
    return row;
}

std::vector<HotwordSpan> BatchReader::sampledFrom(
    const std::vector<int64_t>& tokens, const Chance& chance) const
{
    const HotwordSampling& sampling = *m_options.hotwords;
    return sampling.areWords ? sampleWords(wordsOf(tokens, m_labels), sampling, chance)
                             : sampleHotwords(std::ssize(tokens), sampling, chance);
}

/// Hotwords of texts drawn from all, as most of a list in use are not in the batch. id: of its
/// first utterance.
std::vector<std::vector<int64_t>> BatchReader::distractors(const std::string& id) const
{
    std::vector<std::vector<int64_t>> hotwords;
    if (!m_options.hotwords)
        return hotwords;
    // Not the draws for that utterance itself.
    const Chance chance = chanceOf(m_options.seed, m_options.epoch, "distractors of " + id);
    for (int64_t i = 0; i < m_options.hotwords->distractors; ++i) {
        const auto tokens
            = m_encoder->encode(utterance(chance.between(0, std::ssize(*m_utterances) - 1)).text);
        if (!tokens) // told when its own turn comes
            continue;
        for (const HotwordSpan& span : sampledFrom(*tokens, chance))
            hotwords.emplace_back(tokens->begin() + span.first, tokens->begin() + span.last + 1);
    }
    return hotwords;
}

Result<BatchReader::Row> BatchReader::measure(int64_t index) const
{
    Result<Row> row = describe(index);
    if (!row)
        return row;
    Result<int64_t> length = m_options.cache->length(
        utterance(index).wav, m_options.sampleRateHz, utterance(index).part);
    if (!length)
        return at(index, length.error());
    row->numSamples = resampledLength(*length, row->speed);
    return row;
}

Result<AudioCache::Samples> BatchReader::recorded(int64_t index) const
{
    const std::string& wav = utterance(index).wav;
    if (m_options.parts.empty())
        return m_options.cache->samples(wav, m_options.sampleRateHz, utterance(index).part);
    const auto [first, count] = m_options.parts[static_cast<size_t>(index)];
    Result<std::vector<float>> part
        = m_options.cache->part(wav, m_options.sampleRateHz, first, count);
    if (!part)
        return part.error();
    return std::make_shared<const std::vector<float>>(std::move(*part));
}

/// What needs more memory than there is throws: then this file is to be named, and left out where
/// such are.
Result<AudioCache::Samples> BatchReader::samplesOf(int64_t index, Ratio speed) const
{
    try {
        Result<AudioCache::Samples> samples = recorded(index);
        if (!samples || speed.isIdentity())
            return samples;
        return std::make_shared<const std::vector<float>>(resample(**samples, speed));
    } catch (const std::exception& thrown) {
        return Error { "cannot read audio '" + utterance(index).wav + "': " + thrown.what() };
    }
}

Result<BatchReader::Row> BatchReader::readOwn(int64_t index) const
{
    Result<Row> row = describe(index);
    if (!row)
        return row;
    Result<AudioCache::Samples> samples = samplesOf(index, row->speed);
    if (!samples)
        return at(index, samples.error());
    row->samples = std::move(*samples);
    row->numSamples = static_cast<int64_t>(row->samples->size());
    return row;
}

Result<Batch> BatchReader::read(
    const std::vector<int64_t>& whole, const std::atomic<bool>& isStopped) const
{
    const std::vector<int64_t> part = rankPart(whole, m_options.rank, m_options.worldSize);
    std::vector<Row> own;
    int64_t maxSamples = 0;
    int64_t maxTokens = 1; // a batch of empty transcripts still has a column
    int64_t wholeTokens = 0;
    std::vector<RowSize> wholeRows;
    std::vector<std::vector<int64_t>> hotwords = whole.empty()
        ? std::vector<std::vector<int64_t>>()
        : distractors(utterance(whole.front()).id);
    for (const int64_t index : whole) {
        if (isStopped)
            return Error { "stopped" };
        const bool isOwn = std::find(part.begin(), part.end(), index) != part.end();
        Result<Row> row = isOwn ? readOwn(index) : measure(index);
        if (!row && m_options.leaveOut) {
            m_options.leaveOut(index, row.error().message);
            continue;
        }
        if (!row)
            return row.error();
        maxSamples = std::max(maxSamples, row->numSamples);
        maxTokens = std::max(maxTokens, std::ssize(row->tokens));
        wholeTokens += std::ssize(row->tokens);
        wholeRows.push_back({ row->numSamples, ctcFramesNeeded(row->tokens) });
        for (const HotwordSpan& span : row->hotwords)
            hotwords.emplace_back(
                row->tokens.begin() + span.first, row->tokens.begin() + span.last + 1);
        if (isOwn)
            own.push_back(std::move(*row));
    }
    Batch batch = collate(own, maxSamples, maxTokens);
    batch.wholeSize = std::ssize(whole);
    batch.wholeTokens = wholeTokens;
    batch.wholeRows = std::move(wholeRows);
    batch.hotwords = std::move(hotwords);
    return batch;
}

Batch BatchReader::collate(
    const std::vector<Row>& rows, int64_t maxSamples, int64_t maxTokens) const
{
    const auto count = static_cast<int64_t>(rows.size());
    const bool isPinned = m_options.pinMemory;
    Batch batch;
    batch.wavs_BT = empty({ count, maxSamples }, torch::kFloat32, isPinned);
    batch.wavLens_B = empty({ count }, torch::kFloat32, isPinned);
    batch.tokens_BL = empty({ count, maxTokens }, torch::kInt64, isPinned);
    batch.tokenLens_B = empty({ count }, torch::kFloat32, isPinned);
    for (int64_t i = 0; i < count; ++i) {
        const Row& row = rows[static_cast<size_t>(i)];
        const auto numTokens = static_cast<int64_t>(row.tokens.size());
        fillRow(batch.wavs_BT, i, *row.samples);
        fillRow(batch.tokens_BL, i, row.tokens);
        batch.wavLens_B.data_ptr<float>()[i] = relative(row.numSamples, maxSamples);
        batch.tokenLens_B.data_ptr<float>()[i] = relative(numTokens, maxTokens);
        batch.tokens += numTokens;
        batch.ids.push_back(utterance(row.index).id);
        batch.texts.push_back(utterance(row.index).text);
        batch.indices.push_back(row.index);
        if (!m_options.utteranceLabels.empty())
            batch.labels.push_back(row.labels);
        batch.hotwordSpans.push_back(row.hotwords);
        batch.audioSeconds += static_cast<double>(row.numSamples) / m_options.sampleRateHz;
    }
    return batch;
}

} // namespace earwright::data
