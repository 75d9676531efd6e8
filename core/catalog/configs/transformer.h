#pragma once

#include "core/catalog/field.h"

namespace kymo::catalog {

/// speechbrain.lobes.models.transformer.TransformerASR.TransformerASR
struct TransformerAsrConfig {
    int64_t tgtVocab = 0;
    int64_t inputSize = 0;
    int64_t dModel = 512;
    int64_t nhead = 8;
    int64_t numEncoderLayers = 6;
    int64_t numDecoderLayers = 6;
    int64_t dFfn = 2048;
    double dropout = 0.1;
    recipe::NodePtr activation;
    std::optional<std::string> positionalEncoding = "fixed_abs_sine";
    bool normalizeBefore = false;
    std::optional<int64_t> kernelSize = 31;
    bool bias = true;
    std::string encoderModule = "transformer";
    recipe::NodePtr conformerActivation;
    recipe::NodePtr branchformerActivation;
    std::string attentionType = "regularMHA";
    int64_t maxLength = 2500;
    std::optional<bool> causal;
    int64_t csguLinearUnits = 3072;
    recipe::NodePtr gateActivation;
    bool useLinearAfterConv = false;
    bool outputHiddenStates = false;
    double layerdropProb = 0.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("tgt_vocab", tgtVocab, { .min = 1, .help = "output tokens", .required = true });
        field(
            "input_size", inputSize, { .min = 1, .help = "features per frame", .required = true });
        field("d_model", dModel, { .min = 1, .help = "width" });
        field("nhead", nhead, { .min = 1, .help = "must divide d_model" });
        field("num_encoder_layers", numEncoderLayers, { .min = 0 });
        field("num_decoder_layers", numDecoderLayers, { .min = 0, .help = "0 = encoder only" });
        field("d_ffn", dFfn, { .min = 1 });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("activation", activation, { .help = "class; torch.nn.ReLU if not given" });
        field("positional_encoding", positionalEncoding, { .choices = { "fixed_abs_sine" } });
        field("normalize_before", normalizeBefore);
        field("kernel_size", kernelSize,
            { .unit = "frames", .min = 1, .help = "of a Conformer's convolution" });
        field("bias", bias);
        field("encoder_module", encoderModule,
            { .choices = { "transformer", "conformer", "branchformer" } });
        field("conformer_activation", conformerActivation,
            { .help = "class; speechbrain.nnet.activations.Swish if not given" });
        field("branchformer_activation", branchformerActivation,
            { .help = "class; torch.nn.GELU if not given" });
        field("attention_type", attentionType,
            { .choices = { "regularMHA", "RelPosMHAXL", "hypermixing", "RoPEMHA" } });
        field("max_length", maxLength, { .unit = "frames", .min = 1 });
        field("causal", causal, { .help = "null = not causal; give it explicitly" });
        field("csgu_linear_units", csguLinearUnits, { .min = 1 });
        field(
            "gate_activation", gateActivation, { .help = "class; torch.nn.Identity if not given" });
        field("use_linear_after_conv", useLinearAfterConv);
        field("output_hidden_states", outputHiddenStates);
        field("layerdrop_prob", layerdropProb, { .min = 0, .max = 1 });
    }
};

/// speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper: the encoder half of a
/// transformer.
struct EncoderWrapperConfig {
    static constexpr bool kAcceptsAnyArgument = true;
    recipe::NodePtr transformer;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("transformer", transformer,
            { .help = "the object whose encode() runs", .required = true });
    }
};

} // namespace kymo::catalog
