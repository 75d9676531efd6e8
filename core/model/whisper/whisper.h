#pragma once

#include "core/catalog/configs/whisper.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/model/whisper/log_mel.h"
#include "core/model/whisper/whisper_folder.h"
#include "core/model/whisper/whisper_model.h"

// Shapes: B rows, N samples, M mel bins, F frames of 10 ms, T = F / 2 encoder frames, D width,
// U tokens, V vocabulary.

namespace earwright::model {

/// speechbrain.integrations.huggingface.whisper.Whisper: a WhisperModel of a folder of the Hub as
/// child `model`, and its features. Every wave is padded or cut to 30 s, and the encoder sees the
/// padding: lengths change nothing.
///
/// As upstream under `transformers` 5.17, the positions of an encoder that is not frozen are
/// trained, and scale_embedding does nothing. Unlike upstream, what is frozen stays in evaluation
/// in training too, as in other pretrained encoders; weights are float32 whatever type they are
/// stored in; apply_spec_augment is obeyed, which SpeechBrain's wrapper reads past.
class Whisper final : public HubLayer {
public:
    /// Reads config.source. Throws c10::Error with what is wrong in the folder.
    explicit Whisper(const catalog::WhisperConfig& config);
    /// With weights as drawn; folder() is empty.
    Whisper(const catalog::WhisperConfig& config, const WhisperSizes& sizes);

    /// encode(mel(wav)), for a CTC over the encoder.
    torch::Tensor forward(torch::Tensor wav_BN, torch::Tensor lengths_B = {}) override;

    /// float32 [B, M, 3000]. Nothing is quieter than 8 (of log10) below the loudest of the whole
    /// batch, or of its own wave after keepRowsApart().
    torch::Tensor mel(const torch::Tensor& wav_BN);
    /// The same of waves of any length, of all that is longer than 30 s: [B, M, F], F at least
    /// 3000. encode() takes windows of it.
    torch::Tensor melOfAll(const torch::Tensor& wav_BN);
    /// What is heard of a wave no longer depends on what shares its batch: as `transformers`, where
    /// SpeechBrain's wrapper, which trains, looks at the whole batch.
    void keepRowsApart() { m_loudest = LogMel::Loudest::OfRow; }
    /// [B, T, D]; with output_all_hiddens what enters the first layer and what each gives,
    /// [layers + 1, B, T, D].
    torch::Tensor encode(const torch::Tensor& mel_BMF);
    /// Of the token behind each of tokens_BU: float32 [B, U, V]. encoder_BTD: of encode(). Throws
    /// c10::Error with encoder_only, and where U is more than max_target_positions.
    torch::Tensor logits(const torch::Tensor& encoder_BTD, const torch::Tensor& tokens_BU);
    /// For a search token by token (decode/whisper_decoder.h). encoder_BTD: of encode().
    WhisperSearch startSearch(const torch::Tensor& encoder_BTD);

    const WhisperSizes& sizes() const { return m_model->sizes(); }
    /// Where config.json, the weights and the tokenizer's files lie.
    const std::filesystem::path& folder() const { return m_folder; }
    const catalog::WhisperConfig& config() const { return m_config; }
    WhisperModel& model() { return *m_model; }

    bool dropsLayers() const override;
    void train(bool on = true) override;

private:
    Whisper(const catalog::WhisperConfig& config, const WhisperFolder& folder);
    void freezeWhatIsTold();
    torch::Tensor lastLayer(const torch::Tensor& encoder) const;

    const catalog::WhisperConfig m_config;
    std::filesystem::path m_folder;
    std::shared_ptr<WhisperModel> m_model;
    LogMel m_logMel;
    LogMel::Loudest m_loudest = LogMel::Loudest::OfBatch;
};

} // namespace earwright::model
