#include "core/train/task/speech_task.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/read.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/autocast_off.h"
#include "core/model/layer_table.h"
#include "core/model/pretrained/pretrained_layer.h"
#include "core/settings/hub_source.h"

#include <algorithm>
#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr const char* kCtcLoss = "speechbrain.nnet.losses.ctc_loss";

/// Of the first key that is given; defaults where none is.
Result<catalog::CtcLossConfig> ctcCostOf(const recipe::Node& recipe)
{
    for (const char* key : { "ctc_cost", "compute_cost" }) {
        const recipe::NodePtr cost = recipe::find(recipe, key);
        if (!cost || recipe::isNull(*cost))
            continue;
        if (model::classOf(cost, "") != kCtcLoss)
            return Error { std::string(key) + " must be a !name: of " + kCtcLoss + ", not "
                + catalog::describe(*cost) };
        std::vector<recipe::Diagnostic> reportedByTheCheck;
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
    , m_pretrained(link({ settings::kPretrainedEncoder, settings::kWhisper }))
    , m_logSoftmax(link({ "log_softmax" }))
{
    const auto layer
        = std::dynamic_pointer_cast<model::PretrainedLayer>(model::unwrapped(m_pretrained.layer));
    if (layer)
        layer->freezeUnused();
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

Status SpeechTask::fitsLabels(const Link& output) const
{
    const int64_t labels = textEncoder().size();
    int64_t classes = 0;
    for (const auto& parameter : output.layer->named_parameters())
        classes = parameter.value().dim() == 2 ? parameter.value().size(0) : classes;
    if (classes != 0 && classes < labels)
        return Error { "the output layer has " + std::to_string(classes) + " classes, but "
            + textEncoder().sizeText() + ": set output_neurons to " + std::to_string(labels) };
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

/// As with `requires_grad: True` of an Fbank.
bool SpeechTask::learnsFeatures() const
{
    if (m_pretrained.layer)
        return false;
    const auto parameters = m_features.layer->parameters();
    return std::any_of(parameters.begin(), parameters.end(),
        [](const torch::Tensor& parameter) { return parameter.requires_grad(); });
}

torch::Tensor SpeechTask::features(const data::Batch& batch, Stage stage)
{
    if (stage == Stage::Train)
        return trainingInput(batch).features;
    const torch::NoGradGuard noGrad;
    return normalised(waves(batch, stage), batch.wavLens_B);
}

TrainingInput SpeechTask::trainingInput(const data::Batch& batch)
{
    TrainingInput input = augmentedWaves(batch);
    const torch::AutoGradMode gradients(torch::GradMode::is_enabled() && learnsFeatures());
    input.features = normalised(input.features, input.batch.wavLens_B);
    return augmentedFeatures(input);
}

torch::Tensor SpeechTask::frames(
    const torch::Tensor& features, const torch::Tensor& lengths_B) const
{
    return pass(m_pretrained, features, lengths_B);
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
