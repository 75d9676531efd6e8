#include "core/catalog/catalog.h"
#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

using recipe::Node;

FrameShape same(const Node&, const FrameShape& input)
{
    return input;
}

namespace {

FrameShape linear(const Node& node, const FrameShape& input)
{
    const Given given(node);
    FrameShape shape = given.flag("combine_dims") || input.empty() ? FrameShape { 0 } : input;
    shape.back() = given.integer("n_neurons");
    return shape;
}

FrameShape torchLinear(const Node& node, const FrameShape& input)
{
    FrameShape given = input.empty() ? FrameShape { 0 } : input;
    given.back() = Given(node).integer("out_features");
    return given;
}

/// The width is one argument's.
template <const char* kArgument>
FrameShape width(const Node& node, const FrameShape&)
{
    return { Given(node).integer(kArgument) };
}

constexpr char kDnnNeurons[] = "dnn_neurons";
constexpr char kNeurons[] = "neurons";
constexpr char kLinNeurons[] = "lin_neurons";
constexpr char kOutNeurons[] = "out_neurons";
constexpr char kOutputNeurons[] = "output_neurons";
constexpr char kEmbeddingDim[] = "embedding_dim";

/// A one-hot vector has no place for the blank.
FrameShape embedding(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { given.flag("consider_as_one_hot") ? given.integer("num_embeddings") - 1
                                               : given.integer("embedding_dim") };
}

/// A sum of two of one size; a concatenation depends on both.
FrameShape joint(const Node& node, const FrameShape& input)
{
    return Given(node).text("joint") == "sum" ? input : FrameShape();
}

FrameShape statistics(const Node& node, const FrameShape& input)
{
    const Given given(node);
    const bool isBoth = given.flag("return_mean") && given.flag("return_std");
    return input.size() == 1 ? FrameShape { input[0] * (isBoth ? 2 : 1) } : FrameShape();
}

FrameShape downsampled(const Node& node, const FrameShape& input)
{
    const int64_t factor = Given(node).integer("downsampling_factor");
    return input.size() == 1 && factor > 0 ? FrameShape { input[0] * factor } : FrameShape();
}

} // namespace

void addLinearShapes(ShapeRules& rules)
{
    rules.insert({
        { "speechbrain.lobes.downsampling.ConcatDownsampler", { downsampled } },
        { "speechbrain.lobes.downsampling.Conv1DDownsampler", { same } },
        { "speechbrain.lobes.downsampling.PoolingDownsampler", { same } },
        { "speechbrain.lobes.downsampling.SignalDownsampler", { same } },
        { "speechbrain.lobes.models.CRDNN.DNN_Block", { width<kNeurons> } },
        { "speechbrain.lobes.models.ECAPA_TDNN.Classifier", { width<kOutNeurons> } },
        { "speechbrain.lobes.models.ECAPA_TDNN.ECAPA_TDNN", { width<kLinNeurons> } },
        { "speechbrain.lobes.models.RNNLM.RNNLM", { width<kOutputNeurons> } },
        { "speechbrain.lobes.models.VanillaNN.VanillaNN", { width<kDnnNeurons> } },
        { "speechbrain.lobes.models.Xvector.Classifier", { width<kOutNeurons> } },
        { "speechbrain.lobes.models.Xvector.Xvector", { width<kLinNeurons>, "in_channels" } },
        { "speechbrain.nnet.activations.Softmax", { same } },
        { "speechbrain.nnet.activations.Swish", { same } },
        { "speechbrain.nnet.complex_networks.c_normalization.CBatchNorm", { same } },
        { "speechbrain.nnet.complex_networks.c_normalization.CLayerNorm", { same } },
        { "speechbrain.nnet.dropout.Dropout2d", { same } },
        { "speechbrain.nnet.embedding.Embedding", { embedding } },
        { "speechbrain.nnet.linear.Linear", { linear } },
        { "speechbrain.nnet.normalization.BatchNorm1d", { same } },
        { "speechbrain.nnet.normalization.BatchNorm2d", { same } },
        { "speechbrain.nnet.normalization.LayerNorm", { same } },
        { "speechbrain.nnet.pooling.AttentionPooling", { same, "input_dim" } },
        { "speechbrain.nnet.pooling.StatisticsPooling", { statistics } },
        { "speechbrain.nnet.quaternion_networks.q_normalization.QBatchNorm", { same } },
        { "speechbrain.nnet.transducer.transducer_joint.Transducer_joint", { joint } },
        { "torch.nn.Dropout", { same } },
        { "torch.nn.Embedding", { width<kEmbeddingDim> } },
        { "torch.nn.Identity", { same } },
        { "torch.nn.LayerNorm", { same } },
        { "torch.nn.Linear", { torchLinear, "in_features" } },
    });
    for (const char* name : { "CELU", "ELU", "GELU", "Hardsigmoid", "Hardswish", "Hardtanh",
             "LeakyReLU", "LogSigmoid", "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6",
             "SELU", "SiLU", "Sigmoid", "Softmax", "Softplus", "Softsign", "Tanh" })
        if (const ClassInfo* info = findClass(std::string("torch.nn.") + name))
            rules.emplace(info->name, ShapeRule { same });
}

} // namespace earwright::catalog
