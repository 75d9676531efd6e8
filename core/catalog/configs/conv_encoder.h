#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// earwright.models.ConvEncoder: residual 1-d convolutions over time. Two strided convolutions
/// bring the frame rate down, then `blocks` residual blocks follow; [batch, time, features] ->
/// [batch, time / subsampling, channels].
struct ConvEncoderConfig {
    int64_t inputSize = 0;
    int64_t channels = 256;
    int64_t blocks = 5;
    int64_t kernelSize = 9;
    double dropout = 0.1;
    int64_t frontChannels = 256;
    int64_t subsampling = 4;
    std::string normalization = "layernorm";
    bool pointwise = false;
    bool normalizeEnds = true;
    bool maskPadding = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field(
            "input_size", inputSize, { .min = 1, .help = "features per frame", .required = true });
        field("channels", channels, { .min = 1, .help = "output features per frame" });
        field("blocks", blocks, { .min = 0, .help = "residual blocks" });
        field("kernel_size", kernelSize,
            { .unit = "frames", .min = 1, .help = "of the residual blocks, and the ends" });
        field("dropout", dropout, { .min = 0, .max = 1, .help = "between layers" });
        field("front_channels", frontChannels, { .min = 1, .help = "of the strided convolutions" });
        field("subsampling", subsampling,
            { .min = 1, .max = 16, .help = "input frames per output frame" });
        field("normalization", normalization,
            { .choices = { "layernorm", "batchnorm" },
                .help = "of the residual blocks, and the ends" });
        field("pointwise", pointwise,
            { .help
                = "end each block with a convolution of one frame, so that it can take away too" });
        field("normalize_ends", normalizeEnds,
            { .help = "the front too and, with layernorm, the output; False leaves CTC's blank "
                      "sooner" });
        field("mask_padding", maskPadding,
            { .help = "zeros past a row's end before each convolution: a row is encoded the same "
                      "beside longer ones; False, as most of upstream's: some sets are learnt "
                      "better with their silence" });
    }

    std::vector<Misfit> misfits() const
    {
        return kernelSize % 2 == 1
            ? std::vector<Misfit> {}
            : std::vector<Misfit> { { "kernel_size", "odd, not " + std::to_string(kernelSize),
                std::to_string(kernelSize + 1) } };
    }
};

} // namespace earwright::catalog
