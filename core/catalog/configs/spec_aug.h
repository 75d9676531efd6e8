#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// funasr.models.specaug.specaug.SpecAug
struct SpecAugConfig {
    bool applyTimeWarp = true;
    int64_t timeWarpWindow = 5;
    std::string timeWarpMode = "bicubic";
    bool applyFreqMask = true;
    std::vector<int64_t> freqMaskWidthRange { 0, 20 };
    int64_t numFreqMask = 2;
    bool applyTimeMask = true;
    std::optional<std::vector<int64_t>> timeMaskWidthRange;
    std::optional<std::vector<double>> timeMaskWidthRatioRange;
    int64_t numTimeMask = 2;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        visitBins(field);
        visitFrames(field);
    }

    std::vector<Misfit> misfits() const;

protected:
    template <class Visitor>
    void visitBins(Visitor&& field)
    {
        field("apply_time_warp", applyTimeWarp,
            { .help = "a frame moves, those before and behind are stretched to fit" });
        field("time_warp_window", timeWarpWindow,
            { .unit = "frames", .min = 1, .help = "how far the frame moves at most" });
        field("time_warp_mode", timeWarpMode, { .choices = { "bicubic", "bilinear" } });
        field("apply_freq_mask", applyFreqMask);
        field("freq_mask_width_range", freqMaskWidthRange,
            { .min = 0, .help = "least and, exclusive, most bins of a mask" });
        field("num_freq_mask", numFreqMask, { .min = 0 });
    }

    template <class Visitor>
    void visitFrames(Visitor&& field)
    {
        field("apply_time_mask", applyTimeMask);
        field("time_mask_width_range", timeMaskWidthRange,
            { .unit = "frames", .min = 0, .help = "least and, exclusive, most frames of a mask" });
        field("time_mask_width_ratio_range", timeMaskWidthRatioRange,
            { .min = 0, .max = 1, .help = "the same as shares of the padded length" });
        field("num_time_mask", numTimeMask, { .min = 0 });
    }
};

/// funasr.models.specaug.specaug.SpecAugLFR
struct SpecAugLfrConfig : SpecAugConfig {
    int64_t lfrRate = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        visitBins(field);
        field("lfr_rate", lfrRate,
            { .min = 0, .help = "one less than the frames stacked into one (lfr_m - 1)" });
        visitFrames(field);
    }
};

/// A range of widths may be written as its upper end alone.
template <class Number>
bool rises(const std::vector<Number>& range)
{
    return range.size() == 1 ? range[0] > 0 : range.size() == 2 && range[1] > range[0];
}

inline std::vector<Misfit> SpecAugConfig::misfits() const
{
    const char* const kRising = "two numbers that rise, or one above 0";
    std::vector<Misfit> found;
    if (!applyTimeWarp && !applyFreqMask && !applyTimeMask)
        found.push_back({ "apply_time_mask",
            "True, or 'apply_freq_mask' or 'apply_time_warp': nothing would be changed" });
    if (applyFreqMask && !rises(freqMaskWidthRange))
        found.push_back({ "freq_mask_width_range", kRising });
    if (!applyTimeMask)
        return found;
    if (timeMaskWidthRange.has_value() == timeMaskWidthRatioRange.has_value())
        found.push_back({ "time_mask_width_range",
            timeMaskWidthRange
                ? "left out, or 'time_mask_width_ratio_range': one says how wide"
                : "given, or 'time_mask_width_ratio_range', for 'apply_time_mask'" });
    if (timeMaskWidthRange && !rises(*timeMaskWidthRange))
        found.push_back({ "time_mask_width_range", kRising });
    if (timeMaskWidthRatioRange && !rises(*timeMaskWidthRatioRange))
        found.push_back({ "time_mask_width_ratio_range", kRising });
    return found;
}

} // namespace earwright::catalog
