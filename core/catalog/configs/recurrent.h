#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// What speechbrain.nnet.RNN.LSTM and GRU take.
struct LstmConfig {
    int64_t hiddenSize = 0;
    std::optional<Shape> inputShape;
    std::optional<int64_t> inputSize;
    int64_t numLayers = 1;
    bool bias = true;
    double dropout = 0.0;
    bool reInit = true;
    bool bidirectional = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("hidden_size", hiddenSize, { .min = 1, .required = true });
        field("input_shape", inputShape, { .help = "[batch, time, features], null = any" });
        field("input_size", inputSize, { .min = 1 });
        field("num_layers", numLayers, { .min = 1 });
        field("bias", bias);
        field("dropout", dropout, { .min = 0, .max = 1, .help = "between layers" });
        field("re_init", reInit, { .help = "orthogonal recurrent weights" });
        field("bidirectional", bidirectional);
    }
};

/// speechbrain.nnet.RNN.GRU
struct GruConfig : LstmConfig { };

/// speechbrain.nnet.RNN.RNN
struct RnnConfig {
    int64_t hiddenSize = 0;
    std::optional<Shape> inputShape;
    std::optional<int64_t> inputSize;
    std::string nonlinearity = "relu";
    int64_t numLayers = 1;
    bool bias = true;
    double dropout = 0.0;
    bool reInit = true;
    bool bidirectional = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("hidden_size", hiddenSize, { .min = 1, .required = true });
        field("input_shape", inputShape, { .help = "[batch, time, features], null = any" });
        field("input_size", inputSize, { .min = 1 });
        field("nonlinearity", nonlinearity, { .choices = { "tanh", "relu" } });
        field("num_layers", numLayers, { .min = 1 });
        field("bias", bias);
        field("dropout", dropout, { .min = 0, .max = 1, .help = "between layers" });
        field("re_init", reInit, { .help = "orthogonal recurrent weights" });
        field("bidirectional", bidirectional);
    }
};

/// speechbrain.nnet.RNN.LiGRU
struct LiGruConfig {
    int64_t hiddenSize = 0;
    Shape inputShape;
    std::string nonlinearity = "relu";
    std::string normalization = "batchnorm";
    int64_t numLayers = 1;
    bool bias = true;
    double dropout = 0.0;
    bool reInit = true;
    bool bidirectional = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("hidden_size", hiddenSize, { .min = 1, .required = true });
        field("input_shape", inputShape,
            { .help = "[batch, time, features], null = any", .required = true });
        field("nonlinearity", nonlinearity, { .choices = { "tanh", "sin", "leaky_relu", "relu" } });
        field("normalization", normalization,
            { .help = "batchnorm; any other is layernorm, none too, as upstream" });
        field("num_layers", numLayers, { .min = 1 });
        field("bias", bias);
        field("dropout", dropout, { .min = 0, .max = 1, .help = "one mask per sequence" });
        field("re_init", reInit, { .help = "orthogonal recurrent weights" });
        field("bidirectional", bidirectional);
    }
};

} // namespace earwright::catalog
