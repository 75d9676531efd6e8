#include "core/tasks/paraformer/task_parts.h"
#include "core/tasks/sensevoice/task.h"
#include "core/tasks/spec.h"

namespace earwright::train {

Result<std::unique_ptr<Task>> SenseVoiceTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("sense_voice"));
    if (!modules)
        return modules.error();
    std::unique_ptr<SenseVoiceTask> task(
        new SenseVoiceTask(std::move(*modules), std::move(encoder), device));
    if (const Status ready = task->read(recipe, lossWeighting); !ready)
        return ready.error();
    if (const Status fits = firstError({ task->checkTable(), task->checkTokens() }); !fits)
        return fits.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status SenseVoiceTask::read(const recipe::Node& recipe, const std::string& lossWeighting)
{
    model::SenseVoiceLayers layers;
    const Status found = firstError({ readAugmenters(recipe), takeFrontend(),
        take(modules(), "encoder", "SenseVoiceEncoderSmall", layers.encoder),
        take(modules(), "ctc", "CTC", layers.ctc),
        take(modules(), "embed", "torch.nn.Embedding", layers.embed) });
    if (!found)
        return found;
    Result<catalog::SenseVoiceConfig> config = configFrom<catalog::SenseVoiceConfig>(recipe);
    if (!config)
        return config.error();
    m_config = std::move(*config);
    m_config.lengthNormalizedLoss = isByTokens(lossWeighting, m_config.lengthNormalizedLoss);
    m_recogniser.emplace(std::move(layers));
    return Done {};
}

/// A query beyond the last row would be read outside the table.
Status SenseVoiceTask::checkTable() const
{
    const int64_t rows = m_recogniser->layers().embed->named_parameters()["weight"].size(0);
    return rows == catalog::kRichQueries
        ? Status(Done {})
        : Error { "'embed' has " + std::to_string(rows) + " rows, and the queries are "
              + std::to_string(catalog::kRichQueries) + ": set its num_embeddings to that" };
}

/// A token beyond the last would be read outside the CTC layer's output.
Status SenseVoiceTask::checkTokens() const
{
    const int64_t outputs = model::outputsOf(*m_recogniser->layers().ctc, "ctc_lo");
    const int64_t labels = textEncoder().size();
    if (labels > outputs)
        return Error { "ctc has " + std::to_string(outputs) + " outputs, but "
            + textEncoder().sizeText() + ": set its odim to " + std::to_string(labels)
            + " or more" };
    if (m_config.blankId >= outputs)
        return Error { "blank_id " + std::to_string(m_config.blankId) + " is none of the "
            + std::to_string(outputs) + " outputs of ctc" };
    return Done {};
}

} // namespace earwright::train

namespace earwright::tasks::sensevoice {

Result<std::unique_ptr<train::Task>> make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    return train::SenseVoiceTask::make(recipe, std::move(encoder), device, lossWeighting);
}

} // namespace earwright::tasks::sensevoice
