#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.augment.time_domain.DropFreq; frequencies are fractions of half the sample rate.
struct DropFreqConfig {
    double dropFreqLow = 1e-14;
    double dropFreqHigh = 1;
    int64_t dropFreqCountLow = 1;
    int64_t dropFreqCountHigh = 3;
    double dropFreqWidth = 0.05;
    double epsilon = 1e-12;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("drop_freq_low", dropFreqLow, { .min = 0, .max = 1, .atMost = "drop_freq_high" });
        field("drop_freq_high", dropFreqHigh, { .min = 0, .max = 1 });
        field("drop_freq_count_low", dropFreqCountLow,
            { .min = 0, .atMost = "drop_freq_count_high" });
        field("drop_freq_count_high", dropFreqCountHigh, { .min = 0 });
        field("drop_freq_width", dropFreqWidth, { .min = 0, .max = 1 });
        field("epsilon", epsilon, { .min = 0 });
    }
};

} // namespace earwright::catalog
