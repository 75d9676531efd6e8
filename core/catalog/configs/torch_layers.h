#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// torch.nn.Linear
struct TorchLinearConfig {
    int64_t inFeatures = 0;
    int64_t outFeatures = 0;
    bool bias = true;
    recipe::NodePtr device;
    recipe::NodePtr dtype;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("in_features", inFeatures, { .min = 1, .required = true });
        field("out_features", outFeatures, { .min = 1, .required = true });
        field("bias", bias);
        field("device", device, { .help = "not read: `modules` decides" });
        field("dtype", dtype, { .help = "not read: weights are float32" });
    }
};

/// torch.nn.Embedding
struct TorchEmbeddingConfig {
    int64_t numEmbeddings = 0;
    int64_t embeddingDim = 0;
    recipe::NodePtr paddingIdx;
    recipe::NodePtr maxNorm;
    double normType = 2.0;
    bool scaleGradByFreq = false;
    bool sparse = false;
    recipe::NodePtr weight;
    bool freeze = false;
    recipe::NodePtr device;
    recipe::NodePtr dtype;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("num_embeddings", numEmbeddings, { .min = 1, .help = "rows", .required = true });
        field("embedding_dim", embeddingDim, { .min = 1, .help = "width", .required = true });
        field("padding_idx", paddingIdx, { .help = "Earwright has null alone" });
        field("max_norm", maxNorm, { .help = "Earwright has null alone" });
        field("norm_type", normType, { .help = "of max_norm" });
        field("scale_grad_by_freq", scaleGradByFreq,
            { .help = "gradients are as they are", .isFixed = true });
        field("sparse", sparse, { .help = "gradients are dense", .isFixed = true });
        field("_weight", weight, { .help = "Earwright has null alone: drawn" });
        field("_freeze", freeze, { .help = "freeze_param freezes", .isFixed = true });
        field("device", device, { .help = "not read: `modules` decides" });
        field("dtype", dtype, { .help = "not read: weights are float32" });
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        for (const auto& [name, given] : { std::pair { "padding_idx", paddingIdx },
                 std::pair { "max_norm", maxNorm }, std::pair { "_weight", weight } })
            if (given && !recipe::isNull(*given))
                found.push_back({ name, "null: Earwright has no other", "null" });
        return found;
    }
};

/// torch.nn.LSTM
struct TorchLstmConfig {
    int64_t inputSize = 0;
    int64_t hiddenSize = 0;
    int64_t numLayers = 1;
    bool bias = true;
    bool batchFirst = false;
    double dropout = 0.0;
    bool bidirectional = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_size", inputSize, { .min = 1, .help = "input features", .required = true });
        field("hidden_size", hiddenSize,
            { .min = 1, .help = "output features, of each direction", .required = true });
        field("num_layers", numLayers, { .min = 1, .help = "one upon the other" });
        field("bias", bias, { .help = "add a learnt constant" });
        field("batch_first", batchFirst, { .help = "Earwright's tasks need True" });
        field("dropout", dropout, { .min = 0, .max = 1, .help = "between layers" });
        field("bidirectional", bidirectional, { .help = "read backwards too" });
    }

    std::vector<Misfit> misfits() const
    {
        return batchFirst ? std::vector<Misfit> {}
                          : std::vector<Misfit> { { "batch_first",
                              "True: batches come first everywhere in Earwright", "True" } };
    }
};

} // namespace earwright::catalog
