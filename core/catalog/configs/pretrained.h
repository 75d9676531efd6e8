#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.integrations.huggingface.{wav2vec2.Wav2Vec2, hubert.HuBERT, wavlm.WavLM}, and their
/// older names in speechbrain.lobes.models.huggingface_transformers. Which encoder it is, its
/// folder says, not the class.
struct PretrainedEncoderConfig {
    std::string source;
    std::string savePath;
    bool outputNorm = false;
    bool freeze = false;
    bool freezeFeatureExtractor = false;
    bool applySpecAugment = false;
    bool outputAllHiddens = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("source", source,
            { .help = "folder with config.json and the weights, or a name in the Hub's cache",
                .required = true });
        field("save_path", savePath,
            { .help = "where entries of the Hub are looked for first", .required = true });
        field("output_norm", outputNorm,
            { .help = "norm without weights over channels and time (w2v-BERT: channels alone)" });
        field("freeze", freeze, { .help = "nothing of the encoder is trained" });
        field("freeze_feature_extractor", freezeFeatureExtractor,
            { .help = "its convolutions over the wave are not trained; w2v-BERT has none" });
        field("apply_spec_augment", applySpecAugment, { .help = "masks as config.json says" });
        field("output_all_hiddens", outputAllHiddens, { .help = "the outputs of all layers" });
    }
};

/// What Wav2Vec2 and W2VBert hand on to HFTransformersInterface: at their defaults alone.
struct TransformersArguments {
    bool forPretraining = false;
    bool withLmHead = false;
    bool withCasualLm = false;
    bool seq2seqLm = false;
    std::optional<std::string> quantizationConfig;
    std::string cacheDir = "pretrained_models";
    std::optional<std::string> device;
    bool trustRemoteCode = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("for_pretraining", forPretraining, { .isFixed = true });
        field("with_lm_head", withLmHead, { .isFixed = true });
        field("with_casual_lm", withCasualLm, { .isFixed = true });
        field("seq2seqlm", seq2seqLm, { .isFixed = true });
        field("quantization_config", quantizationConfig, { .isFixed = true });
        field("cache_dir", cacheDir, { .isFixed = true });
        field("device", device, { .isFixed = true });
        field("trust_remote_code", trustRemoteCode,
            { .help = "code of the Hub, which is never run", .isFixed = true });
    }
};

/// speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2
struct PretrainedWav2Vec2Config : PretrainedEncoderConfig {
    TransformersArguments others;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        PretrainedEncoderConfig::visit(field);
        others.visit(field);
    }
};

/// speechbrain.integrations.huggingface.w2v_bert.W2VBert
struct PretrainedBertConfig : PretrainedEncoderConfig {
    std::optional<int64_t> sampleRate;
    TransformersArguments others;

    PretrainedBertConfig() { freeze = true; }

    template <class Visitor>
    void visit(Visitor&& field)
    {
        PretrainedEncoderConfig::visit(field);
        field("sample_rate", sampleRate, { .unit = "Hz", .help = "16000" });
        others.visit(field);
    }
};

} // namespace earwright::catalog
