#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.augment.freq_domain.Warping
struct WarpingConfig {
    int64_t warpWindow = 5;
    std::string warpMode = "bicubic";
    int64_t dim = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("warp_window", warpWindow, { .unit = "frames", .min = 1 });
        field("warp_mode", warpMode, { .choices = { "bicubic", "bilinear" } });
        field("dim", dim, { .min = 1, .max = 2, .help = "1 = time, 2 = features" });
    }
};

/// speechbrain.augment.freq_domain.RandomShift
struct RandomShiftConfig {
    int64_t minShift = 0;
    int64_t maxShift = 0;
    int64_t dim = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("min_shift", minShift, { .atMost = "max_shift" });
        field("max_shift", maxShift);
        field("dim", dim, { .min = 1, .max = 2, .help = "1 = time, 2 = features" });
    }
};

} // namespace earwright::catalog
