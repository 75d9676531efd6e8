#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// What funasr.models.paraformer.model.Paraformer takes besides its parts. In a recipe these are
/// top-level keys; the defaults are upstream's.
struct ParaformerConfig {
    int64_t sos = 1;
    int64_t eos = 2;
    int64_t ignoreId = -1;
    int64_t blankId = 0;
    double lsmWeight = 0.0;
    bool lengthNormalizedLoss = false;
    double predictorWeight = 0.0;
    int64_t predictorBias = 0;
    double samplingRatio = 0.2;
    bool shareEmbedding = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("sos", sos, { .min = 0, .help = "token that begins a sentence; as a hotword: none" });
        field("eos", eos, { .min = 0, .help = "token that ends a sentence" });
        field("ignore_id", ignoreId, { .help = "what texts are padded with", .isFixed = true });
        field("blank_id", blankId, { .min = 0, .help = "token that is left out of texts" });
        field("lsm_weight", lsmWeight, { .min = 0, .max = 1, .help = "label smoothing" });
        field("length_normalized_loss", lengthNormalizedLoss,
            { .help = "a mean over tokens instead of utterances" });
        field("predictor_weight", predictorWeight,
            { .min = 0, .help = "of the loss of the number of tokens" });
        field("predictor_bias", predictorBias,
            { .min = 0, .max = 1, .help = "1: texts end with eos" });
        field("sampling_ratio", samplingRatio,
            { .min = 0,
                .help = "of the wrong tokens of a first pass, how many the decoder is told" });
        field("share_embedding", shareEmbedding,
            { .help = "the decoder has an embedding of its own", .isFixed = true });
    }
};

/// What funasr.models.seaco_paraformer.model.SeacoParaformer takes besides, and how training
/// samples hotwords: constants of AudioDatasetHotword upstream.
struct SeacoConfig {
    double seacoLsmWeight = 0.0;
    bool seacoLengthNormalizedLoss = true;
    bool trainDecoder = true;
    double seacoWeight = 0.01;
    int64_t seacoId = 8377;
    int64_t hotwordMinLength = 2;
    int64_t hotwordMaxLength = 8;
    std::string hotwordUnit = "token";
    int64_t hotwordDistractors = 0;
    std::string hotwordLabels = "own";
    double hotwordWeight = 0.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field(
            "seaco_lsm_weight", seacoLsmWeight, { .min = 0, .max = 1, .help = "label smoothing" });
        field("seaco_length_normalized_loss", seacoLengthNormalizedLoss,
            { .help = "a mean over tokens instead of utterances" });
        field("train_decoder", trainDecoder, { .help = "add the recogniser's own loss" });
        field("seaco_weight", seacoWeight, { .min = 0, .help = "of that loss" });
        field("seaco_id", seacoId,
            { .min = 0, .help = "token that stands for no hotword (upstream's NO_BIAS)" });
        field("hotword_min_length", hotwordMinLength,
            { .min = 1, .help = "tokens of a hotword sampled from a training text" });
        field("hotword_max_length", hotwordMaxLength,
            { .min = 1, .help = "tokens of a hotword sampled from a training text" });
        field("hotword_unit", hotwordUnit,
            { .choices = { "token", "word" },
                .help = "what is sampled: any stretch of a text, as upstream, or its words" });
        field("hotword_distractors", hotwordDistractors,
            { .min = 0,
                .help
                = "training texts, drawn for each batch, whose hotwords its list has besides: "
                  "small batches have short lists" });
        field("hotword_labels", hotwordLabels,
            { .choices = { "own", "all" },
                .help = "own: a text's label has only its own hotword, as upstream; all: wherever "
                        "one of the batch's hotwords is in it" });
        field("hotword_weight", hotwordWeight,
            { .unit = "nats",
                .min = -1e4,
                .max = 1e4,
                .help = "by which a whole hotword is preferred to what is heard otherwise, in "
                        "validation and test: one is written where it is exp(-hotword_weight) as "
                        "likely; 0: each token by itself, as upstream" });
    }
};

} // namespace earwright::catalog
