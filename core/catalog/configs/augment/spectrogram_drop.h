#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.augment.freq_domain.SpectrogramDrop
struct SpectrogramDropConfig {
    int64_t dropLengthLow = 5;
    int64_t dropLengthHigh = 15;
    int64_t dropCountLow = 1;
    int64_t dropCountHigh = 3;
    std::string replace = "zeros";
    int64_t dim = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("drop_length_low", dropLengthLow,
            { .unit = "frames", .min = 0, .atMost = "drop_length_high" });
        field("drop_length_high", dropLengthHigh,
            { .unit = "frames", .min = 0, .help = "exclusive" });
        field("drop_count_low", dropCountLow, { .min = 0, .atMost = "drop_count_high" });
        field("drop_count_high", dropCountHigh, { .min = 0 });
        field("replace", replace,
            { .choices = { "zeros", "mean", "rand", "cutcat", "swap", "random_selection" } });
        field("dim", dim, { .min = 1, .max = 2, .help = "1 = time, 2 = features" });
    }
};

} // namespace earwright::catalog
