#include "core/base/text.h"
#include "core/catalog/read.h"
#include "core/check/layer_keys.h"
#include "core/check/seaco_sizes.h"
#include "core/train/task/paraformer_task.h"

namespace earwright::train {

namespace {

/// The fields of a config that a recipe has as keys of its own.
template <class Config>
Result<Config> configFrom(const recipe::Node& recipe)
{
    std::vector<recipe::Diagnostic> diagnostics;
    Config config = catalog::readKeys<Config>(recipe, diagnostics);
    if (recipe::hasErrors(diagnostics))
        return Error { diagnostics.front().message };
    return config;
}

template <class LayerType>
Status take(const ModuleSet& modules, const char* key, const char* className,
    std::shared_ptr<LayerType>& layer)
{
    layer = std::dynamic_pointer_cast<LayerType>(modules.find(key));
    if (layer)
        return Done {};
    return Error { std::string("the task needs '") + key + "', a " + className
        + (modules.find(key) ? ": the recipe has another class there"
                             : ": the recipe does not define it") };
}

Status firstError(std::initializer_list<Status> statuses)
{
    for (const Status& status : statuses)
        if (!status)
            return status;
    return Done {};
}

/// Otherwise the first step would end in a message of LibTorch's that names no layer.
Status checkSizes(const recipe::Node& recipe)
{
    const std::vector<check::SizeMisfit> misfits = check::seacoSizeMisfits(recipe);
    if (misfits.empty())
        return Done {};
    return Error { misfits.front().message };
}

/// `loss_weighting` says what a mean is over; "reduction" leaves it to the recipe's own key.
bool isByTokens(const std::string& lossWeighting, bool own)
{
    return lossWeighting == "reduction" ? own : lossWeighting == "tokens";
}

} // namespace

Result<std::unique_ptr<Task>> ParaformerTask::make(const recipe::Node& recipe,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
    const std::string& lossWeighting)
{
    Result<ModuleSet> modules = ModuleSet::build(recipe, check::layerKeys("paraformer"));
    if (!modules)
        return modules.error();
    std::unique_ptr<ParaformerTask> task(
        new ParaformerTask(std::move(*modules), std::move(encoder), device));
    for (const Status& read :
        { task->readAugmenters(recipe), task->readRecogniser(recipe, lossWeighting) }) {
        if (!read)
            return read.error();
    }
    const recipe::NodePtr name = recipe::find(recipe, "task");
    if (name && recipe::asString(*name) == "seaco_paraformer") {
        if (const Status read = task->readSeaco(recipe, lossWeighting); !read)
            return read.error();
    }
    if (const Status fits = task->checkTokens(); !fits)
        return fits.error();
    if (const Status fits = task->m_seaco ? checkSizes(recipe) : Status(Done {}); !fits)
        return fits.error();
    return std::unique_ptr<Task>(std::move(task));
}

Status ParaformerTask::readRecogniser(const recipe::Node& recipe, const std::string& lossWeighting)
{
    model::ParaformerLayers layers;
    const Status found = firstError({ take(modules(), "frontend", "WavFrontend", m_frontend),
        take(modules(), "encoder", "SANMEncoder", layers.encoder),
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

Status ParaformerTask::readSeaco(const recipe::Node& recipe, const std::string& lossWeighting)
{
    model::SeacoLayers layers;
    const Status found
        = firstError({ take(modules(), "bias_encoder", "torch.nn.LSTM", layers.biasEncoder),
            take(modules(), "seaco_decoder", "ParaformerSANMDecoder", layers.decoder),
            take(modules(), "hotword_output_layer", "torch.nn.Linear", layers.output) });
    if (!found)
        return found;
    if (modules().find("lstm_proj")) {
        if (const Status fits = take(modules(), "lstm_proj", "torch.nn.Linear", layers.projection);
            !fits)
            return fits;
    }
    Result<catalog::SeacoConfig> config = configFrom<catalog::SeacoConfig>(recipe);
    if (!config)
        return config.error();
    if (config->hotwordMaxLength < config->hotwordMinLength)
        return Error { "hotword_max_length " + std::to_string(config->hotwordMaxLength)
            + " is less than hotword_min_length " + std::to_string(config->hotwordMinLength) };
    if (m_ctcWeight != 0)
        return Error { "task seaco_paraformer has no CTC loss: set ctc_weight to 0" };
    if (m_recogniser->config().predictorBias != 1)
        return Error { "task seaco_paraformer needs predictor_bias: 1" };
    config->seacoLengthNormalizedLoss
        = isByTokens(lossWeighting, config->seacoLengthNormalizedLoss);
    m_seaco.emplace(std::move(layers), *config);
    const Result<std::vector<std::string>> words = recipeHotwords(recipe);
    return words ? listenFor(*words) : words.error();
}

/// A token beyond the last would be read outside the decoder's output.
Status ParaformerTask::checkTokens() const
{
    const auto parameters = m_recogniser->layers().decoder->named_parameters();
    const torch::Tensor* output = parameters.find("output_layer.weight");
    if (!output || !m_recogniser->layers().decoder->embedding())
        return Error { "'decoder' needs use_output_layer: True and wo_input_layer: False" };
    const int64_t classes = output->size(0);
    const int64_t labels = textEncoder().size();
    const auto& config = m_recogniser->config();
    if (labels > classes)
        return Error { "the decoder has " + std::to_string(classes)
            + " tokens, but the training texts have " + std::to_string(labels)
            + " with blank and sentence marks (label_encoder.txt lists them): set vocab_size to "
            + std::to_string(labels) + " or more" };
    // ATen's loss reads past the end of what is too short, and upstream has no such layer.
    const int64_t outputs = m_ctc ? m_ctc->named_parameters()["ctc_lo.weight"].size(0) : classes;
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
    if (m_seaco && m_seaco->config().seacoId >= classes)
        return Error { "seaco_id " + std::to_string(m_seaco->config().seacoId)
            + " is none of the decoder's " + std::to_string(classes) + " tokens" };
    return Done {};
}

} // namespace earwright::train
