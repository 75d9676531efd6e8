#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// Rows of SenseVoiceSmall's table of queries, `embed`: upstream's 7 + 7 languages + 2 styles.
inline constexpr int64_t kRichQueries = 16;

/// funasr.models.sense_voice.model.SenseVoiceEncoderSmall. Upstream hands its layers neither
/// normalize_before, concat_after nor stochastic_depth_rate: their norms come before, always.
struct SenseVoiceEncoderConfig {
    int64_t inputSize = 0;
    int64_t outputSize = 256;
    int64_t attentionHeads = 4;
    int64_t linearUnits = 2048;
    int64_t numBlocks = 6;
    int64_t tpBlocks = 0;
    double dropoutRate = 0.1;
    double positionalDropoutRate = 0.1;
    double attentionDropoutRate = 0.0;
    double stochasticDepthRate = 0.0;
    std::string inputLayer = "conv2d";
    std::string posEncClass = "SinusoidalPositionEncoder";
    bool normalizeBefore = true;
    bool concatAfter = false;
    std::string positionwiseLayerType = "linear";
    int64_t positionwiseConvKernelSize = 1;
    int64_t paddingIdx = -1;
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
        field("tp_blocks", tpBlocks, { .min = 0, .help = "layers behind the first norm" });
        field("dropout_rate", dropoutRate, { .min = 0, .max = 1 });
        field("positional_dropout_rate", positionalDropoutRate, { .min = 0, .max = 1 });
        field("attention_dropout_rate", attentionDropoutRate, { .min = 0, .max = 1 });
        field("stochastic_depth_rate", stochasticDepthRate,
            { .min = 0, .max = 1, .help = "not read: no layer is skipped" });
        field("input_layer", inputLayer, { .help = "not read: positions are added" });
        field("pos_enc_class", posEncClass, { .help = "not read: there is one kind" });
        field("normalize_before", normalizeBefore, { .help = "not read: norms come before" });
        field("concat_after", concatAfter,
            { .help = "not read: attention is not set beside its input" });
        field("positionwise_layer_type", positionwiseLayerType, { .help = "not read: linear" });
        field("positionwise_conv_kernel_size", positionwiseConvKernelSize,
            { .min = 1, .help = "not read" });
        field("padding_idx", paddingIdx, { .help = "not read" });
        field("kernel_size", kernelSize, { .unit = "frames", .min = 1, .help = "of the memory" });
        field("sanm_shfit", sanmShift,
            { .unit = "frames", .min = 0, .help = "looks that much further back" });
        field("selfattention_layer_type", selfattentionLayerType, { .help = "not read: sanm" });
    }
};

/// What funasr.models.sense_voice.model.SenseVoiceSmall takes besides its parts, and, from
/// `told_language` on, its inference. In a recipe these are top-level keys.
struct SenseVoiceConfig {
    int64_t sos = 1;
    int64_t eos = 2;
    int64_t ignoreId = -1;
    int64_t blankId = 0;
    double lsmWeight = 0.0;
    bool lengthNormalizedLoss = false;
    std::string toldLanguage = "auto";
    bool useItn = false;
    bool writeRichLabels = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("sos", sos, { .help = "not read: CTC marks no beginning" });
        field("eos", eos, { .help = "not read: CTC marks no end" });
        field("ignore_id", ignoreId, { .help = "what texts are padded with", .isFixed = true });
        field("blank_id", blankId, { .min = 0, .help = "token that is left out of texts" });
        field("lsm_weight", lsmWeight,
            { .min = 0, .max = 1, .help = "label smoothing of the labels" });
        field("length_normalized_loss", lengthNormalizedLoss,
            { .help = "the labels' loss is a mean over labels instead of utterances" });
        field("told_language", toldLanguage,
            { .choices = { "auto", "zh", "en", "yue", "ja", "ko", "nospeech" },
                .help = "language that the model is told in validation, test and transcription" });
        field("use_itn", useItn,
            { .help = "texts with punctuation and digits, where an utterance does not say" });
        field("write_rich_labels", writeRichLabels,
            { .help = "transcripts begin with labels of language, emotion, event and style" });
    }
};

} // namespace earwright::catalog
