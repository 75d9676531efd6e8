#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.lobes.downsampling.SignalDownsampler
struct SignalDownsamplerConfig {
    int64_t downsamplingFactor = 1;
    int64_t initialSamplingRate = 16000;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("downsampling_factor", downsamplingFactor,
            { .min = 1, .help = "samples that become one", .required = true });
        field("initial_sampling_rate", initialSamplingRate,
            { .unit = "Hz", .min = 1, .help = "of the waves that it is given", .required = true });
    }

    std::vector<Misfit> misfits() const
    {
        if (downsamplingFactor <= initialSamplingRate)
            return {};
        return { { "downsampling_factor",
            "at most 'initial_sampling_rate', which is " + std::to_string(initialSamplingRate) } };
    }
};

/// speechbrain.lobes.downsampling.Conv1DDownsampler
struct Conv1dDownsamplerConfig {
    int64_t downsamplingFactor = 1;
    int64_t kernelSize = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("downsampling_factor", downsamplingFactor,
            { .min = 1, .help = "samples that become one", .required = true });
        field("kernel_size", kernelSize,
            { .unit = "samples", .min = 1, .help = "of the learned filter", .required = true });
    }
};

/// speechbrain.lobes.downsampling.PoolingDownsampler
struct PoolingDownsamplerConfig {
    int64_t downsamplingFactor = 1;
    int64_t kernelSize = 1;
    int64_t padding = 0;
    std::string poolType = "avg";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("downsampling_factor", downsamplingFactor,
            { .min = 1, .help = "samples that become one", .required = true });
        field("kernel_size", kernelSize,
            { .unit = "samples", .min = 1, .help = "that are pooled", .required = true });
        field("padding", padding, { .unit = "samples", .min = 0, .help = "at both ends" });
        field("pool_type", poolType, { .choices = { "avg", "max" } });
    }

    std::vector<Misfit> misfits() const
    {
        if (2 * padding <= kernelSize)
            return {};
        return { { "padding", "at most half of 'kernel_size'" } };
    }
};

/// speechbrain.lobes.downsampling.ConcatDownsampler
struct ConcatDownsamplerConfig {
    int64_t downsamplingFactor = 1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("downsampling_factor", downsamplingFactor,
            { .min = 1, .help = "frames that are put side by side in one", .required = true });
    }
};

} // namespace earwright::catalog
