#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// FunASR's low-rank adaptation, which Earwright does not build: without a list there is none.
struct LoraConfig {
    recipe::NodePtr list;
    int64_t rank = 8;
    int64_t alpha = 16;
    double dropout = 0.1;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lora_list", list, { .help = "Earwright has null alone: no low-rank adaptation" });
        field("lora_rank", rank, { .min = 1 });
        field("lora_alpha", alpha, { .min = 1 });
        field("lora_dropout", dropout, { .min = 0, .max = 1 });
    }

    void addMisfit(std::vector<Misfit>& found) const
    {
        if (list && !recipe::isNull(*list))
            found.push_back({ "lora_list", "null: Earwright has no low-rank adaptation", "null" });
    }
};

/// Names of another toolkit's tensors; nothing reads them.
struct TensorPrefixConfig {
    std::string torch;
    std::string tf;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("tf2torch_tensor_name_prefix_torch", torch, { .help = "not read" });
        field("tf2torch_tensor_name_prefix_tf", tf, { .help = "not read" });
    }
};

/// funasr.models.sanm.encoder.SANMEncoder
struct SanmEncoderConfig {
    int64_t inputSize = 0;
    int64_t outputSize = 256;
    int64_t attentionHeads = 4;
    int64_t linearUnits = 2048;
    int64_t numBlocks = 6;
    double dropoutRate = 0.1;
    double positionalDropoutRate = 0.1;
    double attentionDropoutRate = 0.0;
    std::string inputLayer = "conv2d";
    std::string posEncClass = "SinusoidalPositionEncoder";
    bool normalizeBefore = true;
    bool concatAfter = false;
    std::string positionwiseLayerType = "linear";
    int64_t positionwiseConvKernelSize = 1;
    int64_t paddingIdx = -1;
    std::vector<int64_t> interctcLayerIdx;
    bool interctcUseConditioning = false;
    int64_t kernelSize = 11;
    int64_t sanmShift = 0;
    LoraConfig lora;
    std::string selfattentionLayerType = "sanm";
    TensorPrefixConfig prefix { "encoder", "seq2seq/encoder" };

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field(
            "input_size", inputSize, { .min = 1, .help = "features per frame", .required = true });
        field("output_size", outputSize, { .min = 1, .help = "width" });
        field("attention_heads", attentionHeads, { .min = 1, .help = "must divide output_size" });
        field("linear_units", linearUnits, { .min = 1 });
        field("num_blocks", numBlocks, { .min = 1, .help = "layers, encoders0 included" });
        field("dropout_rate", dropoutRate, { .min = 0, .max = 1 });
        field("positional_dropout_rate", positionalDropoutRate, { .min = 0, .max = 1 });
        field("attention_dropout_rate", attentionDropoutRate, { .min = 0, .max = 1 });
        field("input_layer", inputLayer, { .help = "Earwright builds pe: positions are added" });
        field("pos_enc_class", posEncClass, { .help = "not read: pe has one kind" });
        field("normalize_before", normalizeBefore);
        field("concat_after", concatAfter,
            { .help = "attention is not set beside its input", .isFixed = true });
        field("positionwise_layer_type", positionwiseLayerType, { .choices = { "linear" } });
        field("positionwise_conv_kernel_size", positionwiseConvKernelSize, { .min = 1 });
        field("padding_idx", paddingIdx);
        field("interctc_layer_idx", interctcLayerIdx,
            { .help = "no CTC loss of inner layers", .isFixed = true });
        field("interctc_use_conditioning", interctcUseConditioning);
        field("kernel_size", kernelSize, { .unit = "frames", .min = 1, .help = "of the memory" });
        field("sanm_shfit", sanmShift,
            { .unit = "frames", .min = 0, .help = "looks that much further back" });
        lora.visit(field);
        field("selfattention_layer_type", selfattentionLayerType,
            { .choices = { "sanm" }, .help = "Earwright builds sanm" });
        prefix.visit(field);
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        if (inputLayer != "pe")
            found.push_back(
                { "input_layer", "pe, not " + inputLayer + ": Earwright has no other", "pe" });
        // Upstream's norm of the first layer is as wide as its input, wherever it stands.
        if (!normalizeBefore && inputSize > 0 && inputSize != outputSize)
            found.push_back({ "normalize_before",
                "True, not False, where 'input_size' " + std::to_string(inputSize)
                    + " is not 'output_size' " + std::to_string(outputSize)
                    + ": the first layer's norm is as wide as its input",
                "True" });
        lora.addMisfit(found);
        return found;
    }
};

/// funasr.models.paraformer.decoder.ParaformerSANMDecoder
struct ParaformerDecoderConfig {
    int64_t vocabSize = 0;
    int64_t encoderOutputSize = 0;
    int64_t attentionHeads = 4;
    int64_t linearUnits = 2048;
    int64_t numBlocks = 6;
    double dropoutRate = 0.1;
    double positionalDropoutRate = 0.1;
    double selfAttentionDropoutRate = 0.0;
    double srcAttentionDropoutRate = 0.0;
    std::string inputLayer = "embed";
    bool useOutputLayer = true;
    bool woInputLayer = false;
    std::string posEncClass = "PositionalEncoding";
    bool normalizeBefore = true;
    bool concatAfter = false;
    int64_t attLayerNum = 6;
    int64_t kernelSize = 21;
    std::optional<int64_t> givenShift = 0;
    int64_t sanmShift = 0; ///< that, or half the kernel where it is null
    LoraConfig lora;
    std::vector<int64_t> chunkMultiplyFactor { 1 };
    TensorPrefixConfig prefix { "decoder", "seq2seq/decoder" };

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("vocab_size", vocabSize, { .min = 1, .help = "output tokens", .required = true });
        field("encoder_output_size", encoderOutputSize, { .min = 1, .required = true });
        field("attention_heads", attentionHeads, { .min = 1, .help = "must divide the width" });
        field("linear_units", linearUnits, { .min = 1 });
        field("num_blocks", numBlocks,
            { .min = 1, .help = "those beyond att_layer_num have no attention to the encoder" });
        field("dropout_rate", dropoutRate, { .min = 0, .max = 1 });
        field("positional_dropout_rate", positionalDropoutRate, { .min = 0, .max = 1 });
        field("self_attention_dropout_rate", selfAttentionDropoutRate, { .min = 0, .max = 1 });
        field("src_attention_dropout_rate", srcAttentionDropoutRate, { .min = 0, .max = 1 });
        field("input_layer", inputLayer, { .help = "tokens are embedded", .isFixed = true });
        field("use_output_layer", useOutputLayer);
        field("wo_input_layer", woInputLayer, { .help = "no embedding of tokens" });
        field("pos_enc_class", posEncClass, { .help = "not read: acoustic embeddings have none" });
        field("normalize_before", normalizeBefore);
        field("concat_after", concatAfter,
            { .help = "attention is not set beside its input", .isFixed = true });
        field("att_layer_num", attLayerNum,
            { .min = 1, .help = "layers that attend to the encoder, whatever num_blocks says" });
        field("kernel_size", kernelSize, { .unit = "tokens", .min = 1, .help = "of the memory" });
        field("sanm_shfit", givenShift,
            { .unit = "tokens", .min = 0, .help = "null = half of kernel_size" });
        sanmShift = givenShift.value_or((kernelSize - 1) / 2);
        lora.visit(field);
        field("chunk_multiply_factor", chunkMultiplyFactor, { .help = "of streaming; not read" });
        prefix.visit(field);
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        if (!normalizeBefore)
            found.push_back({ "normalize_before",
                "True, not False: upstream's decoder gives nothing without the norm at its end",
                "True" });
        lora.addMisfit(found);
        return found;
    }
};

/// funasr.models.paraformer.cif_predictor.CifPredictor
struct CifPredictorConfig {
    int64_t idim = 0;
    int64_t lOrder = 0;
    int64_t rOrder = 0;
    double threshold = 1.0;
    double dropout = 0.1;
    double smoothFactor = 1.0;
    double noiseThreshold = 0;
    double tailThreshold = 0.45;
    bool tailMask = true; ///< the first version has no such argument

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("idim", idim, { .min = 1, .help = "width of the encoder", .required = true });
        field("l_order", lOrder, { .unit = "frames", .min = 0, .required = true });
        field("r_order", rOrder, { .unit = "frames", .min = 0, .required = true });
        field("threshold", threshold, { .min = 0, .help = "weight that makes a token" });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("smooth_factor", smoothFactor, { .min = 0 });
        field("noise_threshold", noiseThreshold, { .min = 0 });
        field("tail_threshold", tailThreshold,
            { .min = 0, .help = "weight added after the last frame in decoding" });
    }
};

/// funasr.models.paraformer.cif_predictor.CifPredictorV2
struct CifPredictorV2Config : CifPredictorConfig {
    TensorPrefixConfig prefix { "predictor", "seq2seq/cif" };

    CifPredictorV2Config() { tailThreshold = 0; }

    template <class Visitor>
    void visit(Visitor&& field)
    {
        CifPredictorConfig::visit(field);
        prefix.visit(field);
        field("tail_mask", tailMask, { .help = "the tail follows each row's last frame" });
    }
};

/// funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3
struct CifPredictorV3Config : CifPredictorConfig {
    double smoothFactor2 = 1.0;
    double noiseThreshold2 = 0;
    int64_t upsampleTimes = 5;
    std::string upsampleType = "cnn";
    bool useCif1Cnn = true;
    TensorPrefixConfig prefix { "predictor", "seq2seq/cif" };

    CifPredictorV3Config() { tailThreshold = 0; }

    template <class Visitor>
    void visit(Visitor&& field)
    {
        CifPredictorConfig::visit(field);
        prefix.visit(field);
        field("smooth_factor2", smoothFactor2, { .min = 0 });
        field("noise_threshold2", noiseThreshold2, { .min = 0 });
        field("upsample_times", upsampleTimes,
            { .min = 1, .help = "finer frames for the times of tokens" });
        field("upsample_type", upsampleType, { .choices = { "cnn", "cnn_blstm" } });
        field("use_cif1_cnn", useCif1Cnn);
        field(
            "tail_mask", tailMask, { .help = "not read: the tail follows each row's last frame" });
    }
};

/// funasr.models.ctc.ctc.CTC
struct FunasrCtcConfig {
    int64_t odim = 0;
    int64_t encoderOutputSize = 0;
    double dropoutRate = 0.0;
    std::string ctcType = "builtin";
    bool reduce = true;
    bool ignoreNanGrad = true;
    bool extraLinear = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("odim", odim, { .min = 1, .help = "tokens", .required = true });
        field("encoder_output_size", encoderOutputSize, { .min = 1, .required = true });
        field("dropout_rate", dropoutRate, { .min = 0, .max = 1 });
        field("ctc_type", ctcType, { .choices = { "builtin" } });
        field("reduce", reduce, { .help = "Earwright's loss is one number always" });
        field("ignore_nan_grad", ignoreNanGrad,
            { .help
                = "texts too long for their audio teach nothing, but count; in Earwright always" });
        field("extra_linear", extraLinear,
            { .help = "the branch has its own linear layer", .isFixed = true });
    }
};

} // namespace earwright::catalog
