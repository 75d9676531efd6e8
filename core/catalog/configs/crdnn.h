#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.lobes.models.CRDNN.CRDNN: convolution blocks, recurrent layers, linear blocks.
struct CrdnnConfig {
    std::optional<int64_t> inputSize;
    std::optional<Shape> inputShape;
    recipe::NodePtr activation;
    double dropout = 0.15;
    int64_t cnnBlocks = 2;
    std::vector<int64_t> cnnChannels = { 128, 256 };
    std::vector<int64_t> cnnKernelsize = { 3, 3 };
    bool timePooling = false;
    int64_t timePoolingSize = 2;
    int64_t freqPoolingSize = 2;
    recipe::NodePtr rnnClass;
    std::vector<int64_t> interLayerPoolingSize = { 2, 2 };
    bool using2dPooling = false;
    int64_t rnnLayers = 4;
    int64_t rnnNeurons = 512;
    bool rnnBidirectional = true;
    bool rnnReInit = false;
    int64_t dnnBlocks = 2;
    int64_t dnnNeurons = 512;
    int64_t projectionDim = -1;
    bool useRnnp = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_size", inputSize, { .min = 1, .help = "features per frame" });
        field("input_shape", inputShape, { .help = "[batch, time, features], null = any" });
        field("activation", activation, { .help = "class; torch.nn.LeakyReLU if not given" });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("cnn_blocks", cnnBlocks, { .min = 0 });
        field("cnn_channels", cnnChannels, { .min = 1, .help = "one number per block" });
        field("cnn_kernelsize", cnnKernelsize, { .min = 1, .help = "frames, features" });
        field("time_pooling", timePooling);
        field("time_pooling_size", timePoolingSize, { .min = 1 });
        field("freq_pooling_size", freqPoolingSize, { .min = 1 });
        field("rnn_class", rnnClass, { .help = "class; speechbrain.nnet.RNN.LiGRU if not given" });
        field("inter_layer_pooling_size", interLayerPoolingSize, { .min = 1 });
        field("using_2d_pooling", using2dPooling);
        field("rnn_layers", rnnLayers, { .min = 0 });
        field("rnn_neurons", rnnNeurons, { .min = 1, .help = "per direction" });
        field("rnn_bidirectional", rnnBidirectional);
        field("rnn_re_init", rnnReInit, { .help = "orthogonal recurrent weights" });
        field("dnn_blocks", dnnBlocks, { .min = 0 });
        field("dnn_neurons", dnnNeurons, { .min = 1 });
        field("projection_dim", projectionDim, { .min = -1, .help = "-1 = no projection" });
        field("use_rnnp", useRnnp);
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        const auto blocks = static_cast<size_t>(cnnBlocks);
        const auto addShort = [&](const char* name, size_t size) {
            if (size < blocks)
                found.push_back({ name,
                    "one number for each of the " + std::to_string(blocks) + " 'cnn_blocks', not "
                        + std::to_string(size) });
        };
        addShort("cnn_channels", cnnChannels.size());
        addShort("inter_layer_pooling_size", interLayerPoolingSize.size());
        for (const int64_t size : cnnKernelsize)
            if (blocks > 0 && size % 2 == 0)
                found.push_back({ "cnn_kernelsize", "odd, not " + std::to_string(size) });
        addPooledAway(found);
        if (projectionDim == 0)
            found.push_back(
                { "projection_dim", "-1 or at least 1, not 0: no features would be left", "-1" });
        const bool isFlat = rnnLayers > 0 || projectionDim != -1;
        if (blocks > 0 && dnnBlocks > 0 && !isFlat)
            found.push_back({ "rnn_layers",
                "at least 1 between convolutions and linear blocks, unless 'projection_dim' is "
                "given, not 0",
                "1" });
        return found;
    }

private:
    /// Each block leaves a pooling size's share of the features.
    void addPooledAway(std::vector<Misfit>& found) const
    {
        int64_t features = inputSize                ? *inputSize
            : inputShape && inputShape->size() == 3 ? inputShape->back().value_or(0)
                                                    : 0;
        for (size_t block = 0; block < interLayerPoolingSize.size() && features > 0; ++block) {
            const bool isBuilt = block < static_cast<size_t>(cnnBlocks);
            features /= isBuilt ? interLayerPoolingSize[block] : 1;
            if (features == 0)
                found.push_back({ "inter_layer_pooling_size",
                    "smaller: block " + std::to_string(block + 1) + " leaves no features" });
        }
    }
};

} // namespace earwright::catalog
