#pragma once

#include "core/model/paraformer/ctc_branch.h"
#include "core/model/paraformer/sanm_decoder.h"
#include "core/model/paraformer/sense_voice_encoder.h"
#include "core/model/torch_layers.h"

#include <string_view>

// Shapes: B rows, T frames, F features, D width, L tokens of a text, V labels, 4 the rich labels of
// an utterance: language, emotion, event, style. S is 4 + T: they stand before the frames.

namespace earwright::model {

/// The rich labels of an utterance, and the queries in front of its frames.
inline constexpr int64_t kRichLabels = 4;

/// The row of the table for a language, "zh" or as a label "<|zh|>"; 0, which is "auto", of one
/// that has none. Source: SenseVoiceSmall.lid_dict.
int64_t languageQuery(std::string_view language);
/// That of the style "withitn" (punctuation and digits) or "woitn", as a label "<|woitn|>"; none of
/// another. Source: SenseVoiceSmall.textnorm_dict.
std::optional<int64_t> styleQuery(std::string_view style);

/// The layers of a SenseVoiceSmall, under upstream's names.
struct SenseVoiceLayers {
    std::shared_ptr<SenseVoiceEncoder> encoder;
    std::shared_ptr<CtcBranch> ctc;
    std::shared_ptr<TorchEmbedding> embed; ///< catalog::kRichQueries rows as wide as the features
};

/// What the encoder is told of an utterance: rows of the table, int64 on the encoder's device.
struct RichQueries {
    torch::Tensor language_B;
    torch::Tensor style_B;
};

/// Before any softmax, of an encoded batch.
struct SenseVoiceScores {
    torch::Tensor rich_B4V;
    torch::Tensor frames_BTV;
};

/// funasr.models.sense_voice.model.SenseVoiceSmall (An et al. 2024, FunAudioLLM): four queries
/// stand before the frames, and one CTC layer reads the rich labels where they stood and the text
/// behind.
class SenseVoice final {
public:
    explicit SenseVoice(SenseVoiceLayers layers)
        : m_layers(std::move(layers))
    {
    }

    /// features [batch, time, input_size], valid_BT bool -> kRichLabels frames more, all valid.
    Encoded encode(const torch::Tensor& features_BTF, const torch::Tensor& valid_BT,
        const RichQueries& queries) const;
    /// In training dropout is drawn for the frames alone, as upstream does.
    SenseVoiceScores scores(const Encoded& encoded) const;

    const SenseVoiceLayers& layers() const { return m_layers; }

private:
    SenseVoiceLayers m_layers;
};

/// Label smoothing of the rich labels, a sum over the batch's; float32 under every precision.
/// labels_B4: int64, on the scores' device.
torch::Tensor richLabelSum(
    const SenseVoiceScores& scores, const torch::Tensor& labels_B4, double smoothing);

/// The best label of each frame, int64 [B, T]. `withRich`: kRichLabels more in front, the rich
/// labels', as upstream's inference reads them.
torch::Tensor bestLabels(const SenseVoiceScores& scores, bool withRich);

} // namespace earwright::model
