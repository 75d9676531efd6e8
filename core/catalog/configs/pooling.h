#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.nnet.pooling.Pooling1d
struct Pooling1dConfig {
    std::string poolType;
    int64_t kernelSize = 0;
    int64_t inputDims = 3;
    int64_t poolAxis = 1;
    bool ceilMode = false;
    int64_t padding = 0;
    int64_t dilation = 1;
    std::optional<int64_t> stride;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("pool_type", poolType, { .choices = { "avg", "max" }, .required = true });
        field("kernel_size", kernelSize, { .min = 1, .required = true });
        field("input_dims", inputDims, { .min = 3, .max = 4 });
        field("pool_axis", poolAxis, { .min = 1, .max = 2, .help = "1 = time, 2 = features" });
        field("ceil_mode", ceilMode);
        field("padding", padding, { .min = 0 });
        field("dilation", dilation, { .min = 1 });
        field("stride", stride, { .min = 1, .help = "null = kernel_size" });
    }
};

/// speechbrain.nnet.pooling.Pooling2d
struct Pooling2dConfig {
    std::string poolType;
    std::vector<int64_t> kernelSize;
    std::vector<int64_t> poolAxis = { 1, 2 };
    bool ceilMode = false;
    int64_t padding = 0;
    int64_t dilation = 1;
    std::optional<int64_t> stride;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("pool_type", poolType, { .choices = { "avg", "max" }, .required = true });
        field("kernel_size", kernelSize, { .min = 1, .required = true });
        field("pool_axis", poolAxis, { .help = "time and features", .isFixed = true });
        field("ceil_mode", ceilMode);
        field("padding", padding, { .min = 0 });
        field("dilation", dilation, { .min = 1, .help = "not read" });
        field("stride", stride, { .min = 1, .help = "null = kernel_size" });
    }
};

/// speechbrain.nnet.dropout.Dropout2d
struct Dropout2dConfig {
    double dropRate = 0;
    bool inplace = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("drop_rate", dropRate, { .min = 0, .max = 1, .required = true });
        field("inplace", inplace);
    }
};

/// torch.nn.Dropout
struct DropoutConfig {
    double p = 0.5;
    bool inplace = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("p", p, { .min = 0, .max = 1 });
        field("inplace", inplace);
    }
};

} // namespace earwright::catalog
