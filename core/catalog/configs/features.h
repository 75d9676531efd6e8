#pragma once

#include "core/catalog/field.h"

#include <cmath>

namespace earwright::catalog {

/// speechbrain.lobes.features.Fbank
struct FbankConfig {
    bool deltas = false;
    bool context = false;
    bool requiresGrad = false;
    int64_t sampleRate = 16000;
    double fMin = 0;
    std::optional<double> fMax;
    int64_t nFft = 400;
    int64_t nMels = 40;
    std::string filterShape = "triangular";
    double paramChangeFactor = 1.0;
    double paramRandFactor = 0.0;
    int64_t leftFrames = 5;
    int64_t rightFrames = 5;
    double winLength = 25; ///< ms
    double hopLength = 10; ///< ms

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("deltas", deltas, { .help = "append first and second derivatives" });
        field("context", context, { .help = "append neighbouring frames" });
        field("requires_grad", requiresGrad, { .help = "learn the filters" });
        field("sample_rate", sampleRate, { .unit = "Hz", .min = 1000, .max = 192000 });
        field("f_min", fMin, { .unit = "Hz", .min = 0, .atMost = "f_max" });
        field("f_max", fMax, { .unit = "Hz", .min = 0, .help = "null = half the sample rate" });
        field("n_fft", nFft, { .unit = "samples", .min = 2 });
        field("n_mels", nMels, { .min = 1, .help = "features per frame" });
        field("filter_shape", filterShape,
            { .choices = { "triangular", "rectangular", "gaussian" } });
        field("param_change_factor", paramChangeFactor, { .min = 0 });
        field("param_rand_factor", paramRandFactor, { .min = 0 });
        field("left_frames", leftFrames, { .min = 0 });
        field("right_frames", rightFrames, { .min = 0 });
        field("win_length", winLength, { .unit = "ms", .min = 1 });
        field("hop_length", hopLength, { .unit = "ms", .min = 1, .help = "one frame every hop" });
    }

    std::vector<Misfit> misfits() const
    {
        const double window = std::round(static_cast<double>(sampleRate) / 1000.0 * winLength);
        if (static_cast<double>(nFft) >= window)
            return {};
        const std::string samples = std::to_string(static_cast<int64_t>(window));
        return { { "n_fft",
            "at least the " + samples + " samples of the window, not " + std::to_string(nFft),
            samples } };
    }
};

/// speechbrain.processing.features.InputNormalization
struct InputNormalizationConfig {
    bool meanNorm = true;
    bool stdNorm = true;
    std::string normType = "global";
    std::optional<double> avgFactor; ///< deprecated upstream: only null is accepted
    int64_t lengthDim = 1;
    std::optional<int64_t> updateUntilEpoch = 2;
    bool avoidPaddingNorm = false;
    double epsilon = 1e-10;
    std::string device = "cpu";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("mean_norm", meanNorm, { .help = "upstream removed it", .isFixed = true });
        field("std_norm", stdNorm);
        field("norm_type", normType,
            { .choices = { "sentence", "batch", "global" },
                .help = "over what mean and deviation are taken" });
        field("avg_factor", avgFactor,
            { .help = "upstream removed it: use BatchNorm1d", .isFixed = true });
        field("length_dim", lengthDim, { .isFixed = true });
        field("update_until_epoch", updateUntilEpoch,
            { .min = 0, .help = "null or 0 = never stop updating" });
        field(
            "avoid_padding_norm", avoidPaddingNorm, { .help = "leave padded frames as they are" });
        field("epsilon", epsilon, { .min = 0 });
        field("device", device);
    }
};

} // namespace earwright::catalog
