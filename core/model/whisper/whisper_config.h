#pragma once

#include "core/model/pretrained/encoder_config.h"

namespace earwright::model {

/// Of the encoder or of the decoder.
struct WhisperStackSize {
    int64_t positions = 0; ///< max_source_positions (encoder frames), max_target_positions (tokens)
    int64_t layers = 4; ///< encoder_layers, decoder_layers
    int64_t heads = 6; ///< …_attention_heads
    int64_t innerWidth = 1536; ///< …_ffn_dim
    double layerdrop = 0; ///< …_layerdrop
};

/// What config.json of a folder of the Hub says of a Whisper. A member that it does not hold has
/// the value of WhisperConfig in `transformers` 5.17. Not among them: scale_embedding, which
/// upstream's Whisper reads and scales nothing by, and max_length, which it drops.
struct WhisperSizes {
    int64_t width = 384; ///< d_model
    int64_t mels = 80; ///< num_mel_bins
    int64_t vocabulary = 51865; ///< vocab_size
    WhisperStackSize encoder { 1500 };
    WhisperStackSize decoder { 448 };
    EncoderActivation activation = EncoderActivation::Gelu; ///< activation_function

    double dropout = 0;
    double attentionDropout = 0;
    double activationDropout = 0;

    bool applySpecAugment = false;
    SpanMasking timeMasking { 0.05, 10, 2 };
    SpanMasking melMasking; ///< mask_feature_…

    std::optional<int64_t> padToken = 50256; ///< pad_token_id, whose vector is not trained as input
};

/// Of the text of a config.json. Errors name the member and what it must be, or what of it
/// Earwright does not compute: another model_type, an unknown activation, quantised weights.
Result<WhisperSizes> parseWhisperConfig(const std::string& json);

} // namespace earwright::model
