#pragma once

#include "core/catalog/field.h"

namespace kymo::catalog {

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
};

} // namespace kymo::catalog
