#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.augment.time_domain.DoClip
struct DoClipConfig {
    double clipLow = 0.5;
    double clipHigh = 0.5;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("clip_low", clipLow, { .min = 0, .help = "part of the peak", .atMost = "clip_high" });
        field("clip_high", clipHigh, { .min = 0, .help = "part of the peak" });
    }
};

/// speechbrain.augment.time_domain.RandAmp
struct RandAmpConfig {
    double ampLow = 0.5;
    double ampHigh = 1.5;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("amp_low", ampLow, { .min = 0, .help = "peak", .atMost = "amp_high" });
        field("amp_high", ampHigh, { .min = 0, .help = "peak" });
    }
};

/// speechbrain.augment.time_domain.DropBitResolution
struct DropBitResolutionConfig {
    std::string targetDtype = "random";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("target_dtype", targetDtype, { .choices = { "random", "int16", "int8", "float16" } });
    }
};

/// speechbrain.augment.time_domain.SignFlip
struct SignFlipConfig {
    double flipProb = 0.5;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("flip_prob", flipProb, { .min = 0, .max = 1 });
    }
};

} // namespace earwright::catalog
