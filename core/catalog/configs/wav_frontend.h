#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// funasr.frontends.wav_frontend.WavFrontend
struct WavFrontendConfig {
    std::optional<std::string> cmvnFile;
    int64_t fs = 16000;
    std::string window = "hamming";
    int64_t nMels = 80;
    int64_t frameLength = 25; ///< ms
    int64_t frameShift = 10; ///< ms
    int64_t filterLengthMin = -1; ///< read by nobody, upstream neither
    int64_t filterLengthMax = -1;
    int64_t lfrM = 1;
    int64_t lfrN = 1;
    double dither = 1.0;
    bool snipEdges = true;
    bool upscaleSamples = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("cmvn_file", cmvnFile, { .help = "Kaldi's am.mvn: shifts and scales of features" });
        field("fs", fs, { .unit = "Hz", .min = 1000, .max = 192000 });
        field("window", window, { .choices = { "hamming", "hanning", "povey", "rectangular" } });
        field("n_mels", nMels, { .min = 1, .help = "features per frame, before stacking" });
        field("frame_length", frameLength, { .unit = "ms", .min = 1 });
        field("frame_shift", frameShift, { .unit = "ms", .min = 1 });
        field("filter_length_min", filterLengthMin);
        field("filter_length_max", filterLengthMax);
        field("lfr_m", lfrM, { .unit = "frames", .min = 1, .help = "stacked into one" });
        field("lfr_n", lfrN, { .unit = "frames", .min = 1, .help = "from one to the next" });
        field("dither", dither,
            { .min = 0, .help = "deviation of the noise added to samples of up to 32768" });
        field("snip_edges", snipEdges,
            { .help = "only frames that lie in the audio", .isFixed = true });
        field("upsacle_samples", upscaleSamples, { .help = "by 32768" });
    }
};

} // namespace earwright::catalog
