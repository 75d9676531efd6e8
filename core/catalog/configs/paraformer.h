#pragma once

#include "core/catalog/field.h"

namespace kymo::catalog {

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
    int64_t kernelSize = 11;
    int64_t sanmShift = 0;
    std::string selfattentionLayerType = "sanm";

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
        field("input_layer", inputLayer, { .choices = { "pe" }, .help = "positions are added" });
        field("pos_enc_class", posEncClass, { .choices = { "SinusoidalPositionEncoder" } });
        field("normalize_before", normalizeBefore);
        field("kernel_size", kernelSize, { .unit = "frames", .min = 1, .help = "of the memory" });
        field("sanm_shfit", sanmShift,
            { .unit = "frames", .min = 0, .help = "looks that much further back" });
        field("selfattention_layer_type", selfattentionLayerType, { .choices = { "sanm" } });
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
    bool normalizeBefore = true;
    int64_t attLayerNum = 6;
    int64_t kernelSize = 21;
    int64_t sanmShift = 0;

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
        field("input_layer", inputLayer, { .choices = { "embed" } });
        field("use_output_layer", useOutputLayer);
        field("wo_input_layer", woInputLayer, { .help = "no embedding of tokens" });
        field("normalize_before", normalizeBefore);
        field("att_layer_num", attLayerNum,
            { .min = 1, .help = "layers that attend to the encoder, whatever num_blocks says" });
        field("kernel_size", kernelSize, { .unit = "tokens", .min = 1, .help = "of the memory" });
        field("sanm_shfit", sanmShift, { .unit = "tokens", .min = 0 });
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
    CifPredictorV2Config() { tailThreshold = 0; }

    template <class Visitor>
    void visit(Visitor&& field)
    {
        CifPredictorConfig::visit(field);
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

    CifPredictorV3Config() { tailThreshold = 0; }

    template <class Visitor>
    void visit(Visitor&& field)
    {
        CifPredictorConfig::visit(field);
        field("smooth_factor2", smoothFactor2, { .min = 0 });
        field("noise_threshold2", noiseThreshold2, { .min = 0 });
        field("upsample_times", upsampleTimes,
            { .min = 1, .help = "finer frames for the times of tokens" });
        field("upsample_type", upsampleType, { .choices = { "cnn", "cnn_blstm" } });
        field("use_cif1_cnn", useCif1Cnn);
        field("tail_mask", tailMask, { .help = "the tail follows each row's last frame" });
    }
};

} // namespace kymo::catalog
