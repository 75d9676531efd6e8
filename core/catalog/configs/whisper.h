#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.integrations.huggingface.whisper.Whisper, and its older name in
/// speechbrain.lobes.models.huggingface_transformers.
struct WhisperConfig {
    std::string source;
    std::string savePath;
    int64_t samplingRate = 16000;
    bool encoderOnly = false;
    bool freeze = false;
    bool freezeEncoder = false;
    bool outputAttentions = false;
    bool outputAllHiddens = false;
    std::optional<std::string> language;
    std::string task = "transcribe";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("source", source,
            { .help = "folder with config.json and the weights, or a name in the Hub's cache",
                .required = true });
        field("save_path", savePath,
            { .help = "where entries of the Hub are looked for first", .required = true });
        field("sampling_rate", samplingRate,
            { .unit = "Hz", .help = "what Whisper was trained with", .isFixed = true });
        field("encoder_only", encoderOnly, { .help = "without its decoder: for CTC" });
        field("freeze", freeze, { .help = "nothing of the model is trained" });
        field("freeze_encoder", freezeEncoder, { .help = "the decoder alone is trained" });
        field("output_attentions", outputAttentions,
            { .help = "no script uses them", .isFixed = true });
        field("output_all_hiddens", outputAllHiddens, { .help = "the outputs of all layers" });
        field("language", language,
            { .help = "of the texts, 'en' or 'english'; null: 'en' where the model knows several "
                      "languages, none where it knows one" });
        field("task", task,
            { .choices = { "transcribe", "translate" }, .help = "what the decoder is told to do" });
    }
};

} // namespace earwright::catalog
