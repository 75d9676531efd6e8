#include "core/train/task/speech_task.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/read.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/autocast_off.h"
#include "core/model/layer_table.h"
#include "core/model/pretrained/pretrained_layer.h"
#include "core/model/transformer/latent_encoder.h"
#include "core/settings/hub_source.h"
#include "core/settings/own_encoder.h"
#include "core/tasks/speech.h"

#include <algorithm>
#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr const char* kCtcLoss = "speechbrain.nnet.losses.ctc_loss";

bool learns(const model::Layer& layer)
{
    const auto parameters = layer.parameters();
    return std::any_of(parameters.begin(), parameters.end(),
        [](const torch::Tensor& parameter) { return parameter.requires_grad(); });
}

/// Of the first key that is given; defaults where none is.
Result<catalog::CtcLossConfig> ctcCostOf(const recipe::Node& recipe)
{
    for (const char* key : { "ctc_cost", "compute_cost" }) {
        const recipe::NodePtr cost = recipe::find(recipe, key);
        if (!cost || recipe::isNull(*cost))
            continue;
        std::vector<recipe::Diagnostic> reportedByTheCheck;
        if (model::classOf(cost, "") == tasks::kK2Loss)
            return catalog::CtcLossConfig {
                .blankIndex = 0,
                .reduction
                = catalog::readConfig<catalog::CtcK2LossConfig>(*cost, reportedByTheCheck).reduction
            };
        if (model::classOf(cost, "") != kCtcLoss)
            return Error { std::string(key) + " must be a !name: of " + kCtcLoss + ", not "
                + catalog::describe(*cost) };
        return catalog::readConfig<catalog::CtcLossConfig>(*cost, reportedByTheCheck);
    }
    return catalog::CtcLossConfig();
}

} // namespace

SpeechTask::SpeechTask(std::string name, ModuleSet modules,
    std::shared_ptr<const data::TextEncoder> encoder, c10::Device device)
    : LayeredTask(std::move(modules), std::move(encoder), device)
    , m_name(std::move(name))
    , m_features(link({ "compute_features" }))
    , m_downsampler(link({ "downsampler" }))
    , m_pretrained(
          link({ settings::kPretrainedEncoder, settings::kWhisper, settings::kLatentExtractor }))
    , m_latentEncoder(link({ settings::kLatentEncoder }))
    , m_logSoftmax(link({ "log_softmax" }))
{
    const auto layer
        = std::dynamic_pointer_cast<model::PretrainedLayer>(model::unwrapped(m_pretrained.layer));
    if (layer)
        layer->freezeUnused();
    if (!std::dynamic_pointer_cast<model::W2VLatentExtractor>(
            model::unwrapped(m_pretrained.layer))) {
        m_latentEncoder = {};
        if (m_pretrained.key == settings::kLatentExtractor)
            m_pretrained = {}; // another layer of that name
        return;
    }
    for (const torch::Tensor& parameter : m_pretrained.layer->parameters())
        parameter.set_requires_grad(false);
}

Error SpeechTask::missing(const std::string& what) const
{
    return Error { "task " + m_name + " needs " + what + ": the recipe does not define it" };
}

Status SpeechTask::readRecipe(const recipe::Node& recipe)
{
    if (!m_features.layer && !m_pretrained.layer)
        return missing("compute_features");
    if (const Status read = readAugmenters(recipe); !read)
        return read;
    const Result<catalog::CtcLossConfig> cost = ctcCostOf(recipe);
    if (!cost)
        return cost.error();
    m_ctcCost = *cost;
    return Done {};
}

Status SpeechTask::fitsLabels(const Link& output, int64_t frames) const
{
    const int64_t labels = textEncoder().size();
    int64_t classes = 0;
    for (const auto& parameter : output.layer->named_parameters())
        classes = parameter.value().dim() == 2 ? parameter.value().size(0) : classes;
    classes /= frames;
    if (classes != 0 && classes < labels)
        return Error { "the output layer has " + std::to_string(classes) + " classes, but "
            + textEncoder().sizeText() + ": set output_neurons to " + std::to_string(labels)
            + (frames > 1 ? " and n_neurons of " + inQuotes(output.key) + " to "
                        + std::to_string(frames * labels)
                          : "") };
    const int64_t blank = m_ctcCost.blankIndex;
    if (classes != 0 && (blank < 0 || blank >= classes))
        return Error { "'blank_index' of the CTC loss is " + std::to_string(blank)
            + ", none of the output layer's " + std::to_string(classes) + " classes: set it to "
            + std::to_string(textEncoder().blankIndex()) };
    if (blank != textEncoder().blankIndex())
        return Error { "'blank_index' of the CTC loss is " + std::to_string(blank)
            + ", but the labels have the blank at " + std::to_string(textEncoder().blankIndex())
            + ": set both to the same" };
    return Done {};
}

torch::Tensor SpeechTask::logSoftmax(const torch::Tensor& logits_BTV)
{
    const torch::Tensor x = pass(m_logSoftmax, logits_BTV);
    tell("", x);
    return m_logSoftmax.layer ? x : x.to(model::fullType(x)).log_softmax(-1);
}

torch::Tensor SpeechTask::normalised(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B) const
{
    if (m_pretrained.layer)
        return waves_BT;
    return pass(normalize(), spectra(m_features, waves_BT), lengths_B.to(device(), true));
}

/// As with `requires_grad: True` of an Fbank. A frozen encoder lets no gradient pass to what makes
/// its waves.
bool SpeechTask::learnsFeatures() const
{
    if (m_pretrained.layer)
        return m_downsampler.layer && learns(*m_downsampler.layer)
            && (learns(*m_pretrained.layer)
                || (m_latentEncoder.layer && learns(*m_latentEncoder.layer)));
    return learns(*m_features.layer);
}

TrainingInput SpeechTask::downsampledWaves(const data::Batch& batch) const
{
    if (!m_downsampler.layer)
        return augmentedWaves(batch);
    const torch::AutoGradMode gradients(torch::GradMode::is_enabled() && learnsFeatures());
    return augmentedWaves(batch, spectra(m_downsampler, waves(batch, Stage::Valid)));
}

torch::Tensor SpeechTask::features(const data::Batch& batch, Stage stage)
{
    if (stage == Stage::Train)
        return trainingInput(batch).features;
    const torch::NoGradGuard noGrad;
    return normalised(spectra(m_downsampler, waves(batch, stage)), batch.wavLens_B);
}

TrainingInput SpeechTask::trainingInput(const data::Batch& batch)
{
    TrainingInput input = downsampledWaves(batch);
    const torch::AutoGradMode gradients(torch::GradMode::is_enabled() && learnsFeatures());
    input.features = normalised(input.features, input.batch.wavLens_B);
    return m_pretrained.layer ? input : augmentedFeatures(input);
}

torch::Tensor SpeechTask::frames(
    const torch::Tensor& features, const torch::Tensor& lengths_B) const
{
    return pass(m_latentEncoder, pass(m_pretrained, features, lengths_B), lengths_B);
}

torch::Tensor SpeechTask::frames(
    const data::Batch& batch, const torch::Tensor& features, Stage stage) const
{
    const torch::Tensor frames_BTF = frames(features, batch.wavLens_B.to(device(), true));
    return m_pretrained.layer ? augmented(frames_BTF, batch.wavLens_B, stage) : frames_BTF;
}

std::vector<std::string> SpeechTask::greedyTexts(
    const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const
{
    std::vector<std::string> texts;
    for (const std::vector<int64_t>& tokens :
        decode::ctcGreedy(logProbs_BTV, lengths_B, m_ctcCost.blankIndex))
        texts.push_back(textEncoder().decode(tokens));
    return texts;
}

} // namespace earwright::train
