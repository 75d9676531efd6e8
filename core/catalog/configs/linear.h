#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.nnet.linear.Linear
struct LinearConfig {
    int64_t nNeurons = 0;
    std::optional<Shape> inputShape;
    std::optional<int64_t> inputSize;
    bool bias = true;
    std::optional<double> maxNorm;
    bool combineDims = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("n_neurons", nNeurons, { .min = 1, .help = "output features", .required = true });
        field("input_shape", inputShape, { .help = "null = any" });
        field("input_size", inputSize, { .min = 1, .help = "input features" });
        field("bias", bias);
        field("max_norm", maxNorm, { .min = 0 });
        field(
            "combine_dims", combineDims, { .help = "merge the last two dimensions of 4-d input" });
    }
};

/// speechbrain.nnet.activations.Softmax
struct SoftmaxConfig {
    bool applyLog = false;
    int64_t dim = -1;
    bool reshape = true;
    recipe::NodePtr dtype;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("apply_log", applyLog);
        field("dim", dim);
        field("reshape", reshape);
        field("dtype", dtype, { .help = "Earwright has torch.float32 alone" });
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        if (dim != -1 && reshape) // upstream flattens batch and time first
            found.push_back({ "reshape", "False where 'dim' is not -1", "False" });
        if (dtype && !recipe::isNull(*dtype) && dtype->text != "torch.float32"
            && recipe::nameClass(*dtype) != "torch.float32")
            found.push_back({ "dtype", "torch.float32: Earwright has no other" });
        return found;
    }
};

/// torch.nn.LogSoftmax and torch.nn.Softmax
struct TorchSoftmaxConfig {
    std::optional<int64_t> dim;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("dim", dim, { .help = "-1 = over the features" });
    }

    /// Without it PyTorch takes the first dimension of a batch, which no recipe means.
    std::vector<Misfit> misfits() const
    {
        if (dim)
            return {};
        return { { "dim", "given: without it PyTorch normalises over a batch's utterances; set -1",
            "-1" } };
    }
};

/// speechbrain.lobes.models.VanillaNN.VanillaNN: linear layers, each with its activation.
struct VanillaNnConfig {
    Shape inputShape;
    recipe::NodePtr activation;
    int64_t dnnBlocks = 2;
    int64_t dnnNeurons = 512;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_shape", inputShape,
            { .help = "[batch, time, features], null = any", .required = true });
        field("activation", activation, { .help = "class; torch.nn.LeakyReLU if not given" });
        field("dnn_blocks", dnnBlocks, { .min = 1 });
        field("dnn_neurons", dnnNeurons, { .min = 1 });
    }
};

} // namespace earwright::catalog
