#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// Of chunks that are dropped between two places; a negative one counts from the end.
inline std::vector<Misfit> misfitsOfSpan(int64_t start, std::optional<int64_t> end)
{
    if (!end || *end < 0 || start <= *end)
        return {};
    return { { "drop_start",
        "at most 'drop_end' " + std::to_string(*end) + ", not " + std::to_string(start) } };
}

/// speechbrain.augment.time_domain.DropChunk; lengths in samples.
struct DropChunkConfig {
    int64_t dropLengthLow = 100;
    int64_t dropLengthHigh = 1000;
    int64_t dropCountLow = 1;
    int64_t dropCountHigh = 3;
    int64_t dropStart = 0;
    std::optional<int64_t> dropEnd;
    double noiseFactor = 0.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("drop_length_low", dropLengthLow,
            { .unit = "samples", .min = 0, .atMost = "drop_length_high" });
        field("drop_length_high", dropLengthHigh, { .unit = "samples", .min = 0 });
        field("drop_count_low", dropCountLow, { .min = 0, .atMost = "drop_count_high" });
        field("drop_count_high", dropCountHigh, { .min = 0 });
        field("drop_start", dropStart, { .unit = "samples" });
        field("drop_end", dropEnd, { .unit = "samples" });
        field("noise_factor", noiseFactor, { .min = 0, .help = "0 = silence" });
    }

    std::vector<Misfit> misfits() const { return misfitsOfSpan(dropStart, dropEnd); }
};

/// speechbrain.augment.time_domain.FastDropChunk; lengths in samples.
struct FastDropChunkConfig {
    int64_t dropLengthLow = 100;
    int64_t dropLengthHigh = 1000;
    int64_t dropCountLow = 1;
    int64_t dropCountHigh = 10;
    int64_t dropStart = 0;
    std::optional<int64_t> dropEnd;
    int64_t nMasks = 1000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("drop_length_low", dropLengthLow,
            { .unit = "samples", .min = 0, .atMost = "drop_length_high" });
        field("drop_length_high", dropLengthHigh, { .unit = "samples", .min = 0 });
        field("drop_count_low", dropCountLow, { .min = 0, .atMost = "drop_count_high" });
        field("drop_count_high", dropCountHigh, { .min = 0 });
        field("drop_start", dropStart, { .unit = "samples" });
        field("drop_end", dropEnd, { .unit = "samples" });
        field("n_masks", nMasks, { .min = 1, .help = "drawn once" });
    }

    std::vector<Misfit> misfits() const { return misfitsOfSpan(dropStart, dropEnd); }
};

} // namespace earwright::catalog
