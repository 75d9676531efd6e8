#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

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
        field("num_encoder_layers", numEncoderLayers, { .min = 1 });
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
            { .choices = { "regularMHA", "RelPosMHAXL", "RoPEMHA", "hypermixing" },
                .help = "of the encoder; the decoder's is regularMHA" });
        field("max_length", maxLength, { .unit = "frames", .min = 1 });
        field("causal", causal, { .help = "null = causal; give it explicitly" });
        field("csgu_linear_units", csguLinearUnits, { .min = 1 });
        field(
            "gate_activation", gateActivation, { .help = "class; torch.nn.Identity if not given" });
        field("use_linear_after_conv", useLinearAfterConv);
        field("output_hidden_states", outputHiddenStates,
            { .help = "the encoder gives its last layer", .isFixed = true });
        field("layerdrop_prob", layerdropProb, { .min = 0, .max = 1 });
    }

    /// Hidden units of hypermixing's networks.
    int64_t mixingSize() const { return encoderModule == "branchformer" ? 4 * dModel : dFfn; }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found = misfitsOfPositions();
        if (attentionType == "hypermixing" && encoderModule != "branchformer" && nhead > 0
            && dFfn % nhead != 0)
            found.push_back({ "d_ffn",
                "a multiple of 'nhead' with hypermixing, not " + std::to_string(dFfn)
                    + ": each head has a share of it",
                std::to_string(nhead * (dFfn / nhead + 1)) });
        if (encoderModule == "conformer" && !normalizeBefore)
            found.push_back({ "normalize_before", "True in a conformer, not False", "True" });
        if (encoderModule == "branchformer" && attentionType == "RoPEMHA")
            found.push_back({ "attention_type",
                "RelPosMHAXL, regularMHA or hypermixing in a branchformer, not RoPEMHA",
                "RelPosMHAXL" });
        if (encoderModule == "branchformer" && csguLinearUnits % 2 != 0)
            found.push_back({ "csgu_linear_units",
                "even, not " + std::to_string(csguLinearUnits) + ": a half gates the other",
                std::to_string(csguLinearUnits + 1) });
        addMisfitOfKernel(found);
        return found;
    }

private:
    /// A causal convolution looks back only, so that any size keeps the frames.
    void addMisfitOfKernel(std::vector<Misfit>& found) const
    {
        const bool isConformer = encoderModule == "conformer";
        if (!isConformer && encoderModule != "branchformer")
            return;
        const std::string where = std::string("in a ") + encoderModule;
        if (!kernelSize)
            found.push_back({ "kernel_size", "a number " + where + ", not null", "31" });
        else if (*kernelSize % 2 == 0 && !(isConformer && causal.value_or(true)))
            found.push_back({ "kernel_size",
                "odd " + where + (isConformer ? " that is not causal" : "") + ", not "
                    + std::to_string(*kernelSize),
                std::to_string(*kernelSize + 1) });
    }

    std::vector<Misfit> misfitsOfPositions() const
    {
        if (!positionalEncoding && attentionType == "regularMHA")
            return { { "positional_encoding",
                "fixed_abs_sine with regularMHA, which knows no other positions, not null",
                "fixed_abs_sine" } };
        if (!positionalEncoding && attentionType == "hypermixing" && numDecoderLayers > 0)
            return { { "positional_encoding",
                "fixed_abs_sine with hypermixing and a decoder, which adds it to its tokens, not "
                "null",
                "fixed_abs_sine" } };
        const bool isRotary = attentionType == "RoPEMHA";
        const int64_t size = isRotary && nhead > 0 ? dModel / nhead : dModel;
        if (size % 2 == 0)
            return {};
        const std::string part = isRotary ? "'nhead' times an even number" : "even";
        return { { "d_model",
            part + ", not " + std::to_string(dModel)
                + ": positions are pairs of sine and cosine" } };
    }
};

/// speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper: the encoder half of a
/// transformer. Its **kwargs go to torch.nn.Module, which takes none.
struct EncoderWrapperConfig {
    recipe::NodePtr transformer;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("transformer", transformer,
            { .help = "the object whose encode() runs", .required = true });
    }
};

} // namespace earwright::catalog
