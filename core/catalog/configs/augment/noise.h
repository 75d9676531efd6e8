#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

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

} // namespace earwright::catalog
