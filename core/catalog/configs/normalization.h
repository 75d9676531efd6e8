#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.nnet.normalization.BatchNorm1d
struct BatchNorm1dConfig {
    std::optional<Shape> inputShape;
    std::optional<int64_t> inputSize;
    double eps = 1e-05;
    double momentum = 0.1;
    bool affine = true;
    bool trackRunningStats = true;
    bool combineBatchTime = false;
    bool skipTranspose = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_shape", inputShape, { .help = "[batch, time, features], null = any" });
        field("input_size", inputSize, { .min = 1 });
        field("eps", eps, { .min = 0 });
        field("momentum", momentum, { .min = 0, .max = 1 });
        field("affine", affine);
        field("track_running_stats", trackRunningStats);
        field("combine_batch_time", combineBatchTime);
        field("skip_transpose", skipTranspose);
    }
};

/// speechbrain.nnet.normalization.BatchNorm2d
struct BatchNorm2dConfig {
    std::optional<Shape> inputShape;
    std::optional<int64_t> inputSize;
    double eps = 1e-05;
    double momentum = 0.1;
    bool affine = true;
    bool trackRunningStats = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field(
            "input_shape", inputShape, { .help = "[batch, time, features, channels], null = any" });
        field("input_size", inputSize, { .min = 1 });
        field("eps", eps, { .min = 0 });
        field("momentum", momentum, { .min = 0, .max = 1 });
        field("affine", affine);
        field("track_running_stats", trackRunningStats);
    }
};

/// speechbrain.nnet.normalization.LayerNorm
struct LayerNormConfig {
    std::optional<std::vector<int64_t>> inputSize;
    std::optional<Shape> inputShape;
    double eps = 1e-05;
    bool elementwiseAffine = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_size", inputSize, { .min = 1 });
        field("input_shape", inputShape, { .help = "null = any" });
        field("eps", eps, { .min = 0 });
        field("elementwise_affine", elementwiseAffine);
    }
};

} // namespace earwright::catalog
