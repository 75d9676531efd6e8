#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

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

} // namespace earwright::catalog
