#pragma once

#include "core/catalog/field.h"

namespace kymo::catalog {

/// speechbrain.augment.augmenter.Augmenter
struct AugmenterConfig {
    bool parallelAugment = false;
    bool parallelAugmentFixedBs = false;
    bool concatOriginal = false;
    std::optional<int64_t> minAugmentations;
    std::optional<int64_t> maxAugmentations;
    bool shuffleAugmentations = false;
    int64_t repeatAugment = 1;
    int64_t augmentStartIndex = 0;
    std::optional<int64_t> augmentEndIndex;
    int64_t concatStartIndex = 0;
    std::optional<int64_t> concatEndIndex;
    double augmentProb = 1.0;
    recipe::NodePtr augmentations;
    std::optional<std::vector<bool>> enableAugmentations;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("parallel_augment", parallelAugment,
            { .help = "each alone, results joined as one batch" });
        field("parallel_augment_fixed_bs", parallelAugmentFixedBs);
        field("concat_original", concatOriginal, { .help = "keep the unchanged batch too" });
        field("min_augmentations", minAugmentations, { .min = 0, .help = "null = 1" });
        field("max_augmentations", maxAugmentations, { .min = 0, .help = "null = all" });
        field("shuffle_augmentations", shuffleAugmentations);
        field("repeat_augment", repeatAugment, { .min = 0 });
        field(
            "augment_start_index", augmentStartIndex, { .min = 0, .atMost = "augment_end_index" });
        field("augment_end_index", augmentEndIndex);
        field("concat_start_index", concatStartIndex, { .min = 0, .atMost = "concat_end_index" });
        field("concat_end_index", concatEndIndex);
        field("augment_prob", augmentProb, { .min = 0, .max = 1 });
        field("augmentations", augmentations, { .help = "list of augmentation objects" });
        field("enable_augmentations", enableAugmentations, { .help = "one per augmentation" });
    }

    std::vector<Misfit> misfits() const
    {
        const size_t count = augmentations ? augmentations->items.size() : 0;
        if (!enableAugmentations || enableAugmentations->size() == count)
            return {};
        return { { "enable_augmentations",
            "as long as 'augmentations', " + std::to_string(count) + ", not "
                + std::to_string(enableAugmentations->size()) } };
    }
};

/// speechbrain.augment.time_domain.SpeedPerturb
struct SpeedPerturbConfig {
    int64_t origFreq = 0;
    std::vector<double> speeds = { 90, 100, 110 };
    std::string device = "cpu";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("orig_freq", origFreq, { .unit = "Hz", .min = 1, .required = true });
        field("speeds", speeds, { .unit = "%", .min = 1, .help = "one is drawn per batch" });
        field("device", device);
    }

    std::vector<Misfit> misfits() const
    {
        return speeds.empty() ? std::vector<Misfit> { { "speeds", "at least one number" } }
                              : std::vector<Misfit> {};
    }
};

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

/// speechbrain.augment.time_domain.AddNoise
struct AddNoiseConfig {
    std::optional<std::string> csvFile;
    recipe::NodePtr csvKeys;
    std::string sorting = "random";
    int64_t numWorkers = 0;
    double snrLow = 0;
    double snrHigh = 0;
    bool padNoise = false;
    std::optional<int64_t> startIndex;
    bool normalize = false;
    recipe::NodePtr noiseFunct;
    recipe::NodePtr replacements;
    int64_t noiseSampleRate = 16000;
    int64_t cleanSampleRate = 16000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("csv_file", csvFile, { .help = "manifest of noises; null = Gaussian noise" });
        field("csv_keys", csvKeys, { .help = "sounds are those of the column wav" });
        field(
            "sorting", sorting, { .choices = { "random", "original", "ascending", "descending" } });
        field("num_workers", numWorkers, { .min = 0 });
        field("snr_low", snrLow, { .unit = "dB", .atMost = "snr_high" });
        field("snr_high", snrHigh, { .unit = "dB" });
        field("pad_noise", padNoise, { .help = "repeat a noise that is too short" });
        field("start_index", startIndex,
            { .unit = "samples", .min = 0, .help = "null = drawn for each batch" });
        field("normalize", normalize, { .help = "bring back what exceeds 1" });
        field("noise_funct", noiseFunct);
        field("replacements", replacements, { .help = "{data_root: folder} for paths" });
        field("noise_sample_rate", noiseSampleRate, { .unit = "Hz", .min = 1 });
        field("clean_sample_rate", cleanSampleRate, { .unit = "Hz", .min = 1 });
    }
};

/// speechbrain.augment.time_domain.AddReverb
struct AddReverbConfig {
    std::string csvFile;
    std::string sorting = "random";
    int64_t numWorkers = 0;
    double rirScaleFactor = 1.0;
    recipe::NodePtr replacements;
    int64_t reverbSampleRate = 16000;
    int64_t cleanSampleRate = 16000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("csv_file", csvFile, { .help = "manifest of impulse responses", .required = true });
        field(
            "sorting", sorting, { .choices = { "random", "original", "ascending", "descending" } });
        field("num_workers", numWorkers, { .min = 0 });
        field("rir_scale_factor", rirScaleFactor, { .help = "below 1 = shorter" });
        field("replacements", replacements, { .help = "{data_root: folder} for paths" });
        field("reverb_sample_rate", reverbSampleRate, { .unit = "Hz", .min = 1 });
        field("clean_sample_rate", cleanSampleRate, { .unit = "Hz", .min = 1 });
    }
};

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

} // namespace kymo::catalog
