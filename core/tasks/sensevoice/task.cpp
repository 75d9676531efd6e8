#include "core/tasks/sensevoice/task.h"

#include "core/decode/ctc_greedy.h"
#include "core/model/label_loss.h"
#include "core/tasks/paraformer/task_parts.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr double kLanguageDropped = 0.2; ///< a constant of upstream's encode()
constexpr size_t kLanguagePlace = 0;
constexpr size_t kStylePlace = 3;

/// int64 [rows, 4] on the CPU. Those of a batch without labels do not count.
torch::Tensor labelTensor(const data::Batch& batch)
{
    torch::Tensor labels_B4 = torch::full(
        { batch.wavLens_B.size(0), model::kRichLabels }, model::kIgnored, torch::kLong);
    int64_t* at = labels_B4.data_ptr<int64_t>();
    for (const std::vector<int64_t>& row : batch.labels)
        at = std::copy(row.begin(), row.end(), at);
    return labels_B4;
}

} // namespace

int64_t SenseVoiceTask::styleOf(const data::Batch& batch, int64_t row) const
{
    const int64_t usual = *model::styleQuery(m_config.useItn ? "withitn" : "woitn");
    if (batch.labels.empty())
        return usual;
    const int64_t token = batch.labels[static_cast<size_t>(row)][kStylePlace];
    return model::styleQuery(textEncoder().labels()[static_cast<size_t>(token)]).value_or(usual);
}

/// Drawn before a language is looked up, as upstream does: a row draws whatever it is labelled.
model::RichQueries SenseVoiceTask::queries(const data::Batch& batch, Stage stage) const
{
    const int64_t rows = batch.wavLens_B.size(0);
    torch::Tensor language_B
        = torch::full({ rows }, model::languageQuery(m_config.toldLanguage), torch::kLong);
    torch::Tensor style_B = torch::empty({ rows }, torch::kLong);
    const torch::Tensor drawn_B
        = stage == Stage::Train ? torch::rand({ rows }, torch::kFloat) : torch::Tensor();
    for (int64_t row = 0; row < rows; ++row) {
        style_B.data_ptr<int64_t>()[row] = styleOf(batch, row);
        if (stage != Stage::Train || batch.labels.empty())
            continue;
        const int64_t token = batch.labels[static_cast<size_t>(row)][kLanguagePlace];
        const bool isTold = drawn_B.data_ptr<float>()[row] > kLanguageDropped;
        language_B.data_ptr<int64_t>()[row] = isTold
            ? model::languageQuery(textEncoder().labels()[static_cast<size_t>(token)])
            : model::languageQuery("auto");
    }
    return { language_B.to(device(), true), style_B.to(device(), true) };
}

model::SenseVoiceScores SenseVoiceTask::scores(
    const data::Batch& batch, const torch::Tensor& features_BTF, Stage stage)
{
    tell("encoder", features_BTF);
    const model::Encoded encoded = m_recogniser->encode(
        features_BTF, validFrames(batch, features_BTF), queries(batch, stage));
    tell("ctc", encoded.x_BTD);
    model::SenseVoiceScores scores = m_recogniser->scores(encoded);
    tell("", scores.frames_BTV);
    return scores;
}

/// The text's loss is a mean over utterances whatever `length_normalized_loss` says, as upstream's.
torch::Tensor SenseVoiceTask::loss(
    const data::Batch& batch, const model::SenseVoiceScores& scores) const
{
    const double ofUtterances = factorOf(sumTerm(false), batch);
    const double ofLabels
        = m_config.lengthNormalizedLoss ? ofUtterances / model::kRichLabels : ofUtterances;
    return textLoss(batch, scores.frames_BTV, m_config.blankId) * ofUtterances
        + model::richLabelSum(scores, labelTensor(batch).to(device(), true), m_config.lsmWeight)
        * ofLabels;
}

std::vector<std::string> SenseVoiceTask::texts(
    const data::Batch& batch, const model::SenseVoiceScores& scores, bool withRich) const
{
    const torch::Tensor counts_B = frameCounts(batch) + (withRich ? model::kRichLabels : 0);
    std::vector<std::string> texts;
    for (const std::vector<int64_t>& tokens :
        decode::mergedPaths(model::bestLabels(scores, withRich), counts_B, m_config.blankId))
        texts.push_back(textEncoder().decode(tokens));
    return texts;
}

std::vector<std::string> SenseVoiceTask::recognise(
    const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    return texts(batch, scores(batch, features, stage), m_config.writeRichLabels);
}

TaskOutput SenseVoiceTask::run(const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    const model::SenseVoiceScores scores = this->scores(batch, features, stage);
    TaskOutput output;
    output.loss = loss(batch, scores);
    if (stage != Stage::Train)
        output.hypotheses = texts(batch, scores, /*withRich=*/false); // as the references
    return output;
}

} // namespace earwright::train
