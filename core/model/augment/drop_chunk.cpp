#include "core/model/augment/drop_chunk.h"

#include "core/model/augment/amplitude.h"

#include <algorithm>

namespace earwright::model {

namespace {

struct Spans {
    torch::Tensor start; ///< int64, one a span
    torch::Tensor length;
};

/// `Config`: of DropChunk or FastDropChunk.
template <class Config>
Spans drawSpans(const Config& config, int64_t samples, int64_t count, RandomSource& random)
{
    int64_t shortest = config.dropLengthLow;
    int64_t longest = config.dropLengthHigh;
    if (config.dropEnd.value_or(-1) >= 0) {
        shortest = std::min(shortest, *config.dropEnd - config.dropStart);
        longest = std::min(longest, *config.dropEnd - config.dropStart);
    }
    const torch::Tensor length = random.integers(shortest, longest + 1, { count });
    const int64_t first = config.dropStart + (config.dropStart < 0 ? samples : 0);
    int64_t end = config.dropEnd.value_or(samples);
    end += end < 0 ? samples : 0;
    const int64_t last = std::max<int64_t>(0, end - length.max().item<int64_t>());
    return { random.integers(first, std::max(first, last) + 1, { count }), length };
}

} // namespace

void DropChunk::dropFrom(torch::Tensor wave_T, int64_t length, int64_t count,
    const torch::Tensor& noiseHigh, RandomSource& random) const
{
    const Spans spans = drawSpans(m_config, length, count, random);
    for (int64_t i = 0; i < count; ++i) {
        const int64_t start = spans.start[i].item<int64_t>();
        const int64_t samples = spans.length[i].item<int64_t>();
        const torch::Tensor span = wave_T.slice(0, start, start + samples);
        if (m_config.noiseFactor == 0)
            span.zero_();
        else
            span.copy_(2 * noiseHigh
                    * random.uniform({ samples })
                          .slice(0, 0, span.size(0))
                          .to(wave_T.options(), true)
                - noiseHigh);
    }
}

torch::Tensor DropChunk::noiseFor(
    const torch::Tensor& waves_BT, const torch::Tensor& samples_B) const
{
    if (m_config.noiseFactor == 0)
        return {};
    const torch::Tensor samples_B1 = samples_B.unsqueeze(1).to(waves_BT.device(), true);
    return 2 * m_config.noiseFactor * amplitudeOf(waves_BT, Amplitude::Average, samples_B1);
}

Augmented DropChunk::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const torch::Tensor samples_B
        = (lengths_B * waves_BT.size(1)).to(at::kLong); // truncated, as upstream
    torch::Tensor dropped_BT = waves_BT.clone();
    const torch::Tensor noise_B1 = noiseFor(waves_BT, samples_B);
    const torch::Tensor counts_B
        = random.integers(m_config.dropCountLow, m_config.dropCountHigh + 1, { waves_BT.size(0) });
    for (int64_t row = 0; row < waves_BT.size(0); ++row) {
        const int64_t count = counts_B[row].item<int64_t>();
        if (count == 0)
            continue;
        dropFrom(dropped_BT[row], samples_B[row].item<int64_t>(), count,
            noise_B1.defined() ? noise_B1[row] : noise_B1, random);
    }
    return { dropped_BT, lengths_B };
}

torch::Tensor FastDropChunk::drawMasks(int64_t samples, RandomSource& random) const
{
    torch::Tensor masks_NT = torch::ones({ m_config.nMasks, samples });
    const torch::Tensor counts_N
        = random.integers(m_config.dropCountLow, m_config.dropCountHigh + 1, { m_config.nMasks });
    for (int64_t mask = 0; mask < m_config.nMasks; ++mask) {
        const int64_t count = counts_N[mask].item<int64_t>();
        if (count == 0)
            continue;
        const Spans spans = drawSpans(m_config, samples, count, random);
        for (int64_t i = 0; i < count; ++i) {
            const int64_t start = spans.start[i].item<int64_t>();
            masks_NT[mask].slice(0, start, start + spans.length[i].item<int64_t>()).zero_();
        }
    }
    return masks_NT;
}

Augmented FastDropChunk::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const int64_t samples = waves_BT.size(1);
    TORCH_CHECK(waves_BT.size(0) <= m_config.nMasks, "FastDropChunk has ", m_config.nMasks,
        " masks, too few for ", waves_BT.size(0), " rows");
    if (!m_masks_NT.defined())
        m_masks_NT = drawMasks(samples, random);
    TORCH_CHECK(m_masks_NT.size(1) == samples, "FastDropChunk drew masks of ", m_masks_NT.size(1),
        " samples and is given ", samples, ": its batches must have one length");
    m_masks_NT = m_masks_NT.index_select(0, random.permutation(m_config.nMasks));
    m_masks_NT = torch::roll(m_masks_NT, random.integer(0, samples), 1);
    return { waves_BT * m_masks_NT.slice(0, 0, waves_BT.size(0)).to(waves_BT.options(), true),
        lengths_B };
}

} // namespace earwright::model
