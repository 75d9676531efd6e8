#include "core/model/paraformer/sense_voice.h"

#include "core/model/label_loss.h"

#include <algorithm>
#include <array>
#include <utility>

namespace earwright::model {

namespace {

using NamedQuery = std::pair<std::string_view, int64_t>;

constexpr std::array kLanguageQueries { NamedQuery { "zh", 3 }, NamedQuery { "en", 4 },
    NamedQuery { "yue", 7 }, NamedQuery { "ja", 11 }, NamedQuery { "ko", 12 },
    NamedQuery { "nospeech", 13 } };
constexpr std::array kStyleQueries { NamedQuery { "withitn", 14 }, NamedQuery { "woitn", 15 } };
constexpr int64_t kAnyLanguage = 0;
// Upstream's query `event` stands where the label of emotion is read.
constexpr int64_t kEventQuery = 1;
constexpr int64_t kEmotionQuery = 2;

/// "zh" of "<|zh|>".
std::string_view richName(std::string_view label)
{
    const bool isMarked = label.size() > 4 && label.starts_with("<|") && label.ends_with("|>");
    return isMarked ? label.substr(2, label.size() - 4) : label;
}

template <size_t kCount>
std::optional<int64_t> queryOf(const std::array<NamedQuery, kCount>& all, std::string_view label)
{
    const auto found = std::find_if(all.begin(), all.end(),
        [&](const NamedQuery& one) { return one.first == richName(label); });
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

int64_t languageQuery(std::string_view language)
{
    return queryOf(kLanguageQueries, language).value_or(kAnyLanguage);
}

std::optional<int64_t> styleQuery(std::string_view style)
{
    return queryOf(kStyleQueries, style);
}

Encoded SenseVoice::encode(const torch::Tensor& features_BTF, const torch::Tensor& valid_BT,
    const RichQueries& queries) const
{
    const torch::Tensor rows_B4
        = torch::stack({ queries.language_B, torch::full_like(queries.language_B, kEventQuery),
                           torch::full_like(queries.language_B, kEmotionQuery), queries.style_B },
            1);
    const torch::Tensor told_B4F = m_layers.embed->forward(rows_B4).to(features_BTF.scalar_type());
    const torch::Tensor x_BSF = torch::cat({ told_B4F, features_BTF }, 1);
    const torch::Tensor valid_BS = torch::cat(
        { torch::ones({ valid_BT.size(0), kRichLabels }, valid_BT.options()), valid_BT }, 1);
    return { m_layers.encoder->encode(x_BSF, valid_BS), valid_BS };
}

SenseVoiceScores SenseVoice::scores(const Encoded& encoded) const
{
    const int64_t frames = encoded.x_BTD.size(1) - kRichLabels;
    return { m_layers.ctc->scores(encoded.x_BTD.narrow(1, 0, kRichLabels)),
        m_layers.ctc->forward(encoded.x_BTD.narrow(1, kRichLabels, frames)) };
}

torch::Tensor richLabelSum(
    const SenseVoiceScores& scores, const torch::Tensor& labels_B4, double smoothing)
{
    return labelSmoothingSum(scores.rich_B4V, labels_B4, { smoothing, kIgnored });
}

torch::Tensor bestLabels(const SenseVoiceScores& scores, bool withRich)
{
    const torch::Tensor frames_BT = scores.frames_BTV.argmax(-1);
    return withRich ? torch::cat({ scores.rich_B4V.argmax(-1), frames_BT }, 1) : frames_BT;
}

} // namespace earwright::model
