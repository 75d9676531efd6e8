#include "core/train/task/layered_task.h"

#include "core/model/input_normalization.h"
#include "core/recipe/value_at.h"
#include "core/settings/data_settings.h"
#include "core/settings/layer_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/tasks/pretrained.h"
#include "core/train/cpu_memory.h"
#include "core/train/memory/device_memory.h"
#include "core/train/task/recipe_keys.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr int64_t kSomeSamples = 16000; ///< more than any frame has

} // namespace

LayeredTask::LayeredTask(
    ModuleSet modules, std::shared_ptr<const data::TextEncoder> encoder, c10::Device device)
    : m_modules(std::move(modules))
    , m_textEncoder(std::move(encoder))
    , m_device(device)
    , m_normalize(link(settings::kNormalizers))
{
}

LayeredTask::Link LayeredTask::link(std::initializer_list<const char*> keys) const
{
    for (const char* key : keys) {
        if (const auto layer = m_modules.find(key))
            return { key, layer };
    }
    return {};
}

void LayeredTask::tell(const std::string& key, const torch::Tensor& input) const
{
    if (m_observer)
        m_observer(key, input);
}

torch::Tensor LayeredTask::pass(
    const Link& link, const torch::Tensor& input, torch::Tensor lengths_B) const
{
    if (!link.layer)
        return input;
    tell(link.key, input);
    return link.layer->forward(input, std::move(lengths_B));
}

torch::Tensor LayeredTask::spectra(
    const Link& link, const torch::Tensor& waves_BT, const torch::Tensor& lengths_B) const
{
    const int64_t rows = waves_BT.size(0);
    try {
        return givingBack(m_device, [&] { return pass(link, waves_BT, lengths_B); });
    } catch (const c10::Error& error) {
        if (rows == 1 || !distributed::memoryShortage(error))
            throw;
    }
    releaseCached(m_device);
    const auto half = [&](int64_t begin, int64_t count) {
        return spectra(link, waves_BT.narrow(0, begin, count),
            lengths_B.defined() ? lengths_B.narrow(0, begin, count) : lengths_B);
    };
    return torch::cat({ half(0, rows / 2), half(rows / 2, rows - rows / 2) });
}

Status LayeredTask::readAugmenters(const recipe::Node& recipe)
{
    const bool carriesRows = tasks::carriesRows(recipe);
    Result<BatchAugmenter> ofWaves = BatchAugmenter::from(recipe::find(recipe, "wav_augment").get(),
        { .isOfWaves = true,
            .carriesRows = carriesRows,
            .drawsSpeedsWhileReading = tasks::drawsSpeedsWhileReading(recipe),
            .sampleRateHz = settings::dataSettings(recipe).sampleRateHz });
    Result<BatchAugmenter> ofFeatures
        = BatchAugmenter::from(settings::firstOf(recipe, { "fea_augment", "augmentation" }).get(),
            { .isOfWaves = false,
                .carriesRows = carriesRows && !tasks::augmentsFramesOf(recipe),
                .sampleRateHz = 0 });
    if (!ofWaves || !ofFeatures)
        return (ofWaves ? ofFeatures : ofWaves).error();
    m_waveAugmenter = std::move(*ofWaves);
    m_featureAugmenter = std::move(*ofFeatures);
    m_augmentWarmup = recipe::intAt(recipe, "augment_warmup", m_augmentWarmup);
    return Done {};
}

torch::Tensor LayeredTask::waves(const data::Batch& batch, Stage stage) const
{
    // LibTorch's default type is float32, unless a proof of equality asks for float64.
    const auto options = torch::TensorOptions(m_device).dtype(torch::get_default_dtype());
    const torch::Tensor waves_BT = batch.wavs_BT.to(options, true);
    return stage == Stage::Train && augments() ? m_waveAugmenter.apply(waves_BT, batch.wavLens_B).x
                                               : waves_BT;
}

torch::Tensor LayeredTask::augmented(
    const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, Stage stage) const
{
    return stage == Stage::Train && augments() ? m_featureAugmenter.apply(features_BTF, lengths_B).x
                                               : features_BTF;
}

TrainingInput LayeredTask::augmentedWaves(const data::Batch& batch) const
{
    const torch::NoGradGuard noGrad; // no gradient goes back into the audio
    return augmentedWaves(batch, waves(batch, Stage::Valid));
}

/// Samples of a batch are counted as they were read.
TrainingInput LayeredTask::augmentedWaves(
    const data::Batch& batch, const torch::Tensor& waves_BT) const
{
    if (!augments())
        return { batch, waves_BT };
    const model::Augmented made = m_waveAugmenter.apply(waves_BT, batch.wavLens_B);
    const int64_t samples = made.x.size(1) * batch.wavs_BT.size(1) / waves_BT.size(1);
    return { remade(batch, made.rows_B, made.lengths_B, samples), made.x };
}

TrainingInput LayeredTask::augmentedFeatures(const TrainingInput& given) const
{
    if (!augments())
        return given;
    const model::Augmented made = m_featureAugmenter.apply(given.features, given.batch.wavLens_B);
    return { remade(given.batch, made.rows_B, made.lengths_B, given.batch.wavs_BT.size(1)),
        made.x };
}

void LayeredTask::startEpoch(int64_t epoch)
{
    if (const auto layer = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer))
        layer->setEpoch(epoch);
}

std::vector<std::pair<std::string, torch::Tensor>> LayeredTask::extraState() const
{
    std::vector<std::pair<std::string, torch::Tensor>> state;
    if (const auto layer
        = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer)) {
        for (const auto& [name, tensor] : layer->state())
            state.emplace_back(kNormalizeState + name, tensor);
    }
    return state;
}

std::optional<int64_t> LayeredTask::featureSize() const
{
    const Link features = link({ "compute_features" });
    if (!features.layer)
        return {};
    const torch::NoGradGuard noGrad;
    const auto options = torch::TensorOptions(m_device).dtype(torch::get_default_dtype());
    return features.layer->forward(torch::zeros({ 1, kSomeSamples }, options)).size(-1);
}

Unmatched LayeredTask::unmatchedExtraState(const std::map<std::string, torch::Tensor>& state) const
{
    const std::string mean = kNormalizeState + "glob_mean";
    const std::string deviation = kNormalizeState + "glob_std";
    const std::string count = kNormalizeState + "count";
    Unmatched found;
    const auto layer = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer);
    if (!layer || !layer->keepsStatistics()
        || (!state.contains(mean) && !state.contains(deviation)))
        return found;
    const auto demand = [&](const std::string& name, int64_t numbers) {
        const auto one = state.find(name);
        if (one == state.end())
            found.missing.push_back(name);
        else if (one->second.numel() != numbers)
            found.misshapen.push_back({ name, one->second.sizes().vec(), { numbers } });
    };
    const int64_t size = featureSize().value_or(
        state.contains(mean) ? state.at(mean).numel() : state.at(deviation).numel());
    demand(count, 1);
    demand(mean, size);
    demand(deviation, size);
    return found;
}

void LayeredTask::restoreExtraState(const std::map<std::string, torch::Tensor>& state)
{
    std::map<std::string, torch::Tensor> mine;
    for (const auto& [name, tensor] : state) {
        if (name.starts_with(kNormalizeState))
            mine[name.substr(kNormalizeState.size())] = tensor;
    }
    if (const auto layer = std::dynamic_pointer_cast<model::InputNormalization>(m_normalize.layer);
        layer && mine.contains("count"))
        layer->restore(mine);
}

} // namespace earwright::train
