#include "core/train/dataset.h"

#include "core/base/text.h"
#include "core/data/recipe_data.h"
#include "core/data/utterance_labels.h"
#include "core/recipe/value_at.h"
#include "core/settings/data_settings.h"
#include "core/settings/hub_source.h"
#include "core/tasks/spec.h"
#include "core/train/task/augment.h"

#include <algorithm>
#include <cmath>

namespace earwright::train {

namespace {

/// By which leaveOut() and leaveOutOfHeard() go.
std::string leavingKeys(const std::string& split)
{
    return split == "train" ? "avoid_if_longer_than and avoid_if_shorter_than"
                            : "avoid_if_longer_than_val_test";
}

/// Of one that is longer a training would learn the whole text for a part of its sound.
std::string leavingReasons(const std::string& split, const std::optional<double>& heardSeconds)
{
    return leavingKeys(split)
        + (split == "train" && heardSeconds
                ? ", and for the " + formatNumber(*heardSeconds) + " s that 'whisper' hears"
                : "");
}

size_t countLonger(const std::vector<data::Utterance>& utterances, double seconds)
{
    return static_cast<size_t>(std::count_if(utterances.begin(), utterances.end(),
        [&](const data::Utterance& one) { return one.durationSeconds > seconds; }));
}

size_t leaveOutOfHeard(
    const settings::DataSettings& settings, std::vector<data::Utterance>& utterances)
{
    return std::erase_if(utterances, [&settings](const data::Utterance& utterance) {
        return utterance.durationSeconds > settings.longestHeardSeconds;
    });
}

Result<std::vector<data::Utterance>> readUtterances(const settings::DataSettings& settings,
    const std::string& split, const std::string& path, size_t& leftOut)
{
    Result<std::vector<data::Utterance>> utterances
        = data::readManifest(path, settings.dataFolder, settings.columns);
    if (!utterances)
        return utterances.error();
    if (utterances->empty())
        return Error { "manifest " + path + " has no utterances" };
    leftOut = split == "train" ? leaveOut(settings, *utterances)
                               : leaveOutOfHeard(settings, *utterances);
    if (utterances->empty())
        return Error { leavingKeys(split) + (split == "train" ? " leave" : " leaves")
            + " no utterance of " + path };
    return utterances;
}

data::LoaderOptions loaderOf(
    const plan::Plan& plan, const settings::DataSettings& settings, const std::string& split)
{
    const recipe::Node& root = *plan.recipe;
    data::LoaderOptions loader;
    loader.sampleRateHz = settings.sampleRateHz;
    loader.numWorkers = settings.of(split).numWorkers;
    loader.prefetchFactor = settings.of(split).prefetchFactor;
    const tasks::Spec* task = tasks::find(plan.options.task);
    if (task)
        loader.utteranceLabels = task->utteranceLabels;
    if (task && task->listensForHotwords)
        loader.hotwords = { .shortest = recipe::intAt(root, "hotword_min_length", 2),
            .longest = recipe::intAt(root, "hotword_max_length", 8),
            .areWords = recipe::textAt(root, "hotword_unit") == "word",
            .distractors = recipe::intAt(root, "hotword_distractors", 0) };
    if (split == "train")
        loader.speeds = speedsOf(root);
    return loader;
}

/// Of a split whose last batch is left out there may be none.
Status checkBatches(const plan::Plan& plan, const std::string& name, const Split& split)
{
    const bool isRead = name != "train" || plan.options.numberOfEpochs > 0;
    if (!isRead || !split.batching.dropLast
        || !data::makeBatches(
            *split.utterances, split.batching, static_cast<uint64_t>(plan.options.seed), 1)
                .empty())
        return Done {};
    const std::string what = name == "train" ? "training" : name == "valid" ? "validation" : "test";
    return Error { "the " + what + " set '" + split.manifest
        + "' gives no batch: with drop_last, batch_size may be larger than the set" };
}

} // namespace

size_t leaveOut(const settings::DataSettings& settings, std::vector<data::Utterance>& utterances)
{
    return std::erase_if(utterances, [&settings](const data::Utterance& utterance) {
        return utterance.durationSeconds > settings.longestSeconds
            || utterance.durationSeconds < settings.shortestSeconds;
    });
}

Result<std::vector<Split>> readSplits(const plan::Plan& plan, const std::string& split)
{
    settings::DataSettings settings = settings::dataSettings(*plan.recipe, plan.options.sorting);
    const std::optional<double> heard = settings::heardSeconds(*plan.recipe);
    settings.longestSeconds = std::min(settings.longestSeconds, heard.value_or(INFINITY));
    const data::LoaderOptions loader = loaderOf(plan, settings, split);
    settings.columns.labels = data::membersOf(loader.utteranceLabels);
    std::vector<Split> splits;
    for (const data::NamedManifest& manifest : data::manifestsOf(*plan.recipe, split)) {
        size_t leftOut = 0;
        Result<std::vector<data::Utterance>> utterances
            = readUtterances(settings, split, manifest.path, leftOut);
        if (!utterances)
            return utterances.error();
        splits.push_back({ .name = manifest.name,
            .manifest = manifest.path,
            .utterances
            = std::make_shared<const std::vector<data::Utterance>>(std::move(*utterances)),
            .batching = settings.of(split).batching,
            .loader = loader,
            .wordSplit = score::wordSplitOf(plan.options.splitWords),
            .leftOut = leftOut,
            .leftOutBy = leavingReasons(split, heard) });
        if (heard) {
            splits.back().cutShort = countLonger(*splits.back().utterances, *heard);
            splits.back().heardSeconds = *heard;
        }
        if (const Status batches = checkBatches(plan, split, splits.back()); !batches)
            return batches.error();
    }
    return splits;
}

std::vector<std::string> trainingTexts(const Split& train)
{
    // Labels are numbered as they appear in the order of training, as upstream's
    // update_from_didataset numbers them on a sorted set. A shuffled set counts in the manifest's
    // order, so that the labels do not hang on the seed.
    data::Batching inOrder = train.batching;
    inOrder.dynamic = false;
    inOrder.dropLast = false; // batches, not texts
    inOrder.sorting = inOrder.sorting == "random" ? "original" : inOrder.sorting;
    std::vector<std::string> texts;
    for (const auto& batch : data::makeBatches(*train.utterances, inOrder, 0, 1)) {
        for (const int64_t index : batch)
            texts.push_back((*train.utterances)[static_cast<size_t>(index)].text);
    }
    return texts;
}

Result<data::MadeEncoder> makeEncoder(const plan::Plan& plan, const Split& train)
{
    return data::makeEncoder(*plan.recipe, trainingTexts(train));
}

} // namespace earwright::train
