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
        field("output_norm", outputNorm, { .help = "norm without weights over time and channels" });
        field("freeze", freeze, { .help = "nothing of the encoder is trained" });
        field("freeze_feature_extractor", freezeFeatureExtractor,
            { .help = "its convolutions over the wave are not trained" });
        field("apply_spec_augment", applySpecAugment, { .help = "masks as config.json says" });
        field("output_all_hiddens", outputAllHiddens, { .help = "the outputs of all layers" });
    }
};

/// speechbrain.integrations.huggingface.w2v_bert.W2VBert
struct PretrainedBertConfig {
    std::string source;
    std::string savePath;
    bool outputNorm = false;
    bool freeze = true;
    bool freezeFeatureExtractor = false;
    bool applySpecAugment = false;
    bool outputAllHiddens = false;
    std::optional<int64_t> sampleRate;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("source", source,
            { .help = "folder with config.json and the weights, or a name in the Hub's cache",
                .required = true });
        field("save_path", savePath,
            { .help = "where entries of the Hub are looked for first", .required = true });
        field("output_norm", outputNorm, { .help = "norm without weights over channels" });
        field("freeze", freeze, { .help = "nothing of the encoder is trained" });
        field("freeze_feature_extractor", freezeFeatureExtractor,
            { .help = "only beside freeze: it has no such convolutions" });
        field("apply_spec_augment", applySpecAugment, { .help = "masks as config.json says" });
        field("output_all_hiddens", outputAllHiddens, { .help = "the outputs of all layers" });
        field("sample_rate", sampleRate, { .unit = "Hz", .help = "16000" });
    }
};

} // namespace earwright::catalog
