#include "core/base/text.h"
#include "core/tasks/paraformer/task.h"
#include "core/tasks/paraformer/task_parts.h"
#include "core/tasks/spec.h"

namespace earwright::train {

Result<std::unique_ptr<Task>> ParaformerTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys("paraformer"));
    if (!modules)
        return modules.error();
    std::unique_ptr<ParaformerTask> task(
        new ParaformerTask(std::move(*modules), std::move(encoder), device));
    if (const Status ready = task->read(recipe, lossWeighting); !ready)
        return ready.error();
    if (const Status fits = task->checkTokens(); !fits)
        return fits.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status ParaformerTask::read(const recipe::Node& recipe, const std::string& lossWeighting)
{
    const Status augmented = readAugmenters(recipe);
    return augmented ? readRecogniser(recipe, lossWeighting) : augmented;
}

Status ParaformerTask::readRecogniser(const recipe::Node& recipe, const std::string& lossWeighting)
{
    model::ParaformerLayers layers;
    const Status found
        = firstError({ takeFrontend(), take(modules(), "encoder", "SANMEncoder", layers.encoder),
            take(modules(), "predictor", "CifPredictor", layers.predictor),
            take(modules(), "decoder", "ParaformerSANMDecoder", layers.decoder) });
    if (!found)
        return found;
    if (const Status read = readCtc(recipe); !read)
        return read;
    Result<catalog::ParaformerConfig> config = configFrom<catalog::ParaformerConfig>(recipe);
    if (!config)
        return config.error();
    config->lengthNormalizedLoss = isByTokens(lossWeighting, config->lengthNormalizedLoss);
    m_recogniser.emplace(std::move(layers), std::move(*config));
    return Done {};
}

Status ParaformerTask::readCtc(const recipe::Node& recipe)
{
    const recipe::NodePtr weight = recipe::find(recipe, "ctc_weight");
    m_ctcWeight = weight ? recipe::asDouble(*weight).value_or(-1) : 0;
    if (!(m_ctcWeight >= 0 && m_ctcWeight < 1)) // .nan too
        return Error { "ctc_weight must be a number from 0 to below 1: without its decoder a "
                       "Paraformer recognises nothing" };
    return m_ctcWeight > 0 ? take(modules(), "ctc", "CTC", m_ctc) : Status(Done {});
}

/// A token beyond the last would be read outside the decoder's output.
Status ParaformerTask::checkTokens() const
{
    const int64_t classes = model::outputsOf(*m_recogniser->layers().decoder, "output_layer");
    if (classes == 0 || !m_recogniser->layers().decoder->embedding())
        return Error { "'decoder' needs use_output_layer: True and wo_input_layer: False" };
    const int64_t labels = textEncoder().size();
    const auto& config = m_recogniser->config();
    if (labels > classes)
        return Error { "the decoder has " + std::to_string(classes)
            + " tokens, but the training texts have " + std::to_string(labels)
            + " with blank and sentence marks (label_encoder.txt lists them): set vocab_size to "
            + std::to_string(labels) + " or more" };
    // ATen's loss reads past the end of what is too short, and upstream has no such layer.
    const int64_t outputs = m_ctc ? model::outputsOf(*m_ctc, "ctc_lo") : classes;
    if (outputs != classes)
        return Error { "ctc has " + std::to_string(outputs) + " outputs and the decoder "
            + std::to_string(classes) + ": set its odim to " + std::to_string(classes) };
    for (const auto& [key, mark] : { std::pair { "blank_id", config.blankId },
             std::pair { "sos", config.sos }, std::pair { "eos", config.eos } })
        if (mark < 0 || mark >= classes)
            return Error { std::string(key) + " " + std::to_string(mark)
                + " is none of the decoder's " + std::to_string(classes) + " tokens" };
    for (const int64_t mark : { config.sos, config.eos }) {
        if (mark < labels && codePointCount(textEncoder().labels()[static_cast<size_t>(mark)]) == 1
            && labels > 2)
            return Error { "token " + std::to_string(mark) + " is the character '"
                + textEncoder().labels()[static_cast<size_t>(mark)]
                + "', but sos and eos are tokens of their own: make the label encoder anew" };
    }
    return Done {};
}

} // namespace earwright::train
