#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

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

} // namespace earwright::catalog
