#pragma once

#include "core/catalog/argument_value.h"
#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.lobes.models.wav2vec.W2VLatentExtractor: one number per convolution in every list.
struct W2VLatentExtractorConfig {
    std::vector<int64_t> outChannels = { 512, 512, 512, 512, 512, 512, 512 };
    std::vector<int64_t> kernelSizes = { 11, 3, 3, 3, 3, 3, 3 };
    std::vector<int64_t> strides = { 5, 2, 2, 2, 2, 2, 2 };
    double dropout = 0.0;
    std::string convInit = "kaiming";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("out_channels", outChannels, { .min = 1 });
        field("kernel_sizes", kernelSizes, { .unit = "samples", .min = 1 });
        field("strides", strides, { .min = 1, .help = "their product is a frame's samples" });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("conv_init", convInit, { .choices = { "kaiming", "zero", "normal" } });
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        const auto addOther = [&](const char* name, size_t size) {
            if (size != outChannels.size())
                found.push_back({ name,
                    "as many numbers as 'out_channels' has, " + std::to_string(outChannels.size())
                        + ", not " + std::to_string(size) });
        };
        addOther("kernel_sizes", kernelSizes.size());
        addOther("strides", strides.size());
        return found;
    }
};

/// speechbrain.lobes.models.transformer.Transformer.TransformerEncoder, whose frames know their
/// positions before they come.
struct TransformerEncoderConfig {
    int64_t numLayers = 0;
    int64_t nhead = 0;
    int64_t dFfn = 0;
    std::optional<Shape> inputShape;
    std::optional<int64_t> dModel;
    std::optional<int64_t> kdim, vdim;
    double dropout = 0.0;
    recipe::NodePtr activation;
    bool normalizeBefore = false;
    bool causal = false;
    double layerdropProb = 0.0;
    std::string attentionType = "regularMHA";
    std::string ffnType = "regularFFN";
    std::vector<int64_t> ffnCnnKernelSizeList = { 3, 3 };
    bool outputHiddenStates = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("num_layers", numLayers, { .min = 1, .required = true });
        field("nhead", nhead, { .min = 1, .help = "must divide d_model", .required = true });
        field("d_ffn", dFfn, { .min = 1, .required = true });
        field("input_shape", inputShape, { .help = "read by nothing", .isFixed = true });
        field("d_model", dModel, { .min = 1, .help = "width; must be given" });
        field("kdim", kdim, { .help = "as wide as d_model", .isFixed = true });
        field("vdim", vdim, { .help = "as wide as d_model", .isFixed = true });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("activation", activation, { .help = "class; torch.nn.ReLU if not given" });
        field("normalize_before", normalizeBefore);
        field("causal", causal, { .help = "changes nothing with regularMHA and regularFFN" });
        field("layerdrop_prob", layerdropProb, { .min = 0, .max = 1 });
        field("attention_type", attentionType,
            { .help = "others need positions of their own", .isFixed = true });
        field("ffn_type", ffnType, { .help = "no convolutions", .isFixed = true });
        field("ffn_cnn_kernel_size_list", ffnCnnKernelSizeList,
            { .help = "of ffn_type 1dcnn alone", .isFixed = true });
        field("output_hidden_states", outputHiddenStates,
            { .help = "the encoder gives its last layer", .isFixed = true });
    }

    std::vector<Misfit> misfits() const
    {
        if (!dModel)
            return { { "d_model", "given: the width of the frames" } };
        if (nhead > 0 && *dModel % nhead != 0)
            return { { "d_model",
                "a multiple of 'nhead', " + std::to_string(nhead) + ", not "
                    + std::to_string(*dModel) } };
        return {};
    }
};

/// speechbrain.lobes.models.wav2vec.EncoderWrapper
struct LatentEncoderConfig {
    int64_t inDim = 0;
    int64_t embeddingDim = 0;
    recipe::NodePtr latentEncoder;
    recipe::NodePtr positionalEncoding;
    double dropoutEncoderInput = 0.05;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("in_dim", inDim, { .min = 1, .help = "channels that come in", .required = true });
        field("embedding_dim", embeddingDim,
            { .min = 1, .help = "width of latent_encoder", .required = true });
        field("latent_encoder", latentEncoder,
            { .help = "a TransformerEncoder, which it shares", .required = true });
        field("positional_encoding", positionalEncoding,
            { .help = "class; the sines of PositionalEncoding if not given, and no other" });
        field("dropout_encoder_input", dropoutEncoderInput, { .min = 0, .max = 1 });
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        if (embeddingDim % 2 != 0)
            found.push_back({ "embedding_dim",
                "even, not " + std::to_string(embeddingDim)
                    + ": positions are pairs of sine and cosine" });
        constexpr const char* kSines
            = "!name:speechbrain.lobes.models.transformer.Transformer.PositionalEncoding";
        if (positionalEncoding
            && (positionalEncoding->tag != kSines || !positionalEncoding->entries.empty()))
            found.push_back({ "positional_encoding",
                std::string(kSines) + " without arguments, or left out", kSines });
        return found;
    }
};

} // namespace earwright::catalog
