#include "core/train/dataset.h"

#include "core/base/text.h"
#include "core/data/recipe_data.h"
#include "core/data/utterance_labels.h"
#include "core/train/task/augment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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

size_t countLonger(const std::vector<double>& durationsSeconds, double seconds)
{
    return static_cast<size_t>(std::count_if(durationsSeconds.begin(), durationsSeconds.end(),
        [&](double duration) { return duration > seconds; }));
}

/// Of a training.
bool isLeftOut(const settings::DataSettings& settings, const data::Utterance& utterance)
{
    return utterance.durationSeconds > settings.longestSeconds
        || utterance.durationSeconds < settings.shortestSeconds;
}

/// `take` gets those that are not left out. Returns how many are.
Result<size_t> eachKept(const settings::DataSettings& settings, const std::string& split,
    const std::string& path, const std::function<void(data::Utterance)>& take)
{
    size_t count = 0;
    size_t leftOut = 0;
    const Status read = data::eachUtterance(
        path, settings.dataFolder,
        [&](data::Utterance utterance) {
            ++count;
            const bool isOut = split == "train"
                ? isLeftOut(settings, utterance)
                : utterance.durationSeconds > settings.longestHeardSeconds;
            leftOut += isOut ? 1 : 0;
            if (!isOut)
                take(std::move(utterance));
        },
        settings.columns);
    if (!read)
        return read.error();
    if (count == 0)
        return Error { "manifest " + path + " has no utterances" };
    if (leftOut == count)
        return Error { leavingKeys(split) + (split == "train" ? " leave" : " leaves")
            + " no utterance of " + path };
    return leftOut;
}

data::LoaderOptions loaderOf(
    const plan::Plan& plan, const settings::DataSettings& settings, const std::string& split)
{
    data::LoaderOptions loader;
    loader.sampleRateHz = settings.sampleRateHz;
    loader.numWorkers = settings.of(split).numWorkers;
    loader.prefetchFactor = settings.of(split).prefetchFactor;
    loader.utteranceLabels = plan.settings.task.utteranceLabels;
    loader.hotwords = plan.settings.task.hotwords;
    if (split == "train")
        loader.speeds = speedsOf(*plan.recipe);
    return loader;
}

/// Of a split whose last batch is left out there may be none.
Status checkBatches(const plan::Plan& plan, const std::string& name, const Split& split,
    const std::vector<double>& durationsSeconds)
{
    const bool isRead = name != "train" || plan.options.numberOfEpochs > 0;
    if (!isRead || !split.batching.dropLast
        || !data::makeBatches(
            durationsSeconds, split.batching, static_cast<uint64_t>(plan.options.seed), 1)
                .empty())
        return Done {};
    const std::string what = name == "train" ? "training" : name == "valid" ? "validation" : "test";
    return Error { "the " + what + " set '" + split.manifest
        + "' gives no batch: with drop_last, batch_size may be larger than the set" };
}

/// Of a split's manifest.
using TakeOf = std::function<void(size_t manifest, data::Utterance utterance)>;

/// Its utterances go to `take`; `durationsSeconds` becomes those of each manifest.
Result<std::vector<Split>> readEach(const plan::Plan& plan, const std::string& split,
    const TakeOf& take, std::vector<std::vector<double>>& durationsSeconds)
{
    settings::DataSettings settings = plan.settings.data;
    const std::optional<double> heard = plan.settings.features.heardSeconds;
    settings.longestSeconds = std::min(settings.longestSeconds, heard.value_or(INFINITY));
    const data::LoaderOptions loader = loaderOf(plan, settings, split);
    settings.columns.labels = data::membersOf(loader.utteranceLabels);
    std::vector<Split> splits;
    for (const data::NamedManifest& manifest : data::manifestsOf(*plan.recipe, split)) {
        std::vector<double>& durations = durationsSeconds.emplace_back();
        const Result<size_t> leftOut
            = eachKept(settings, split, manifest.path, [&](data::Utterance utterance) {
                  durations.push_back(utterance.durationSeconds);
                  take(splits.size(), std::move(utterance));
              });
        if (!leftOut)
            return leftOut.error();
        splits.push_back({ .name = manifest.name,
            .manifest = manifest.path,
            .batching = settings.of(split).batching,
            .loader = loader,
            .wordSplit = score::wordSplitOf(plan.options.splitWords),
            .leftOut = *leftOut,
            .leftOutBy = leavingReasons(split, heard) });
        if (heard) {
            splits.back().cutShort = countLonger(durations, *heard);
            splits.back().heardSeconds = *heard;
        }
        if (const Status batches = checkBatches(plan, split, splits.back(), durations); !batches)
            return batches.error();
    }
    return splits;
}

/// Of the training set's utterances, by which labels are numbered: all in one batch.
data::Batching orderOfTexts(const Split& train, size_t count)
{
    // Labels are numbered as they appear in the order of training, as upstream's
    // update_from_didataset numbers them on a sorted set. A shuffled set counts in the manifest's
    // order, so that the labels do not hang on the seed.
    data::Batching inOrder = train.batching;
    inOrder.dynamic = false;
    inOrder.dropLast = false; // batches, not texts
    inOrder.batchSize = static_cast<int64_t>(count);
    inOrder.maxPaddedSeconds = 0;
    inOrder.sorting = inOrder.sorting == "random" ? "original" : inOrder.sorting;
    return inOrder;
}

} // namespace

size_t leaveOut(const settings::DataSettings& settings, std::vector<data::Utterance>& utterances)
{
    return std::erase_if(utterances,
        [&settings](const data::Utterance& utterance) { return isLeftOut(settings, utterance); });
}

Result<std::vector<Split>> readSplits(const plan::Plan& plan, const std::string& split)
{
    std::vector<std::vector<data::Utterance>> utterances;
    std::vector<std::vector<double>> durations;
    Result<std::vector<Split>> splits = readEach(
        plan, split,
        [&](size_t manifest, data::Utterance utterance) {
            utterances.resize(std::max(utterances.size(), manifest + 1));
            utterances[manifest].push_back(std::move(utterance));
        },
        durations);
    for (size_t i = 0; splits && i < splits->size(); ++i)
        (*splits)[i].utterances
            = std::make_shared<const std::vector<data::Utterance>>(std::move(utterances[i]));
    return splits;
}

Result<std::vector<PackedSplit>> readPackedSplits(const plan::Plan& plan, const std::string& split)
{
    std::vector<data::PackedUtterances> utterances;
    std::vector<std::vector<double>> durations;
    Result<std::vector<Split>> splits = readEach(
        plan, split,
        [&](size_t manifest, const data::Utterance& utterance) {
            utterances.resize(std::max(utterances.size(), manifest + 1));
            utterances[manifest].add(utterance);
        },
        durations);
    if (!splits)
        return splits.error();
    std::vector<PackedSplit> packed;
    for (size_t i = 0; i < splits->size(); ++i)
        packed.push_back({ .split = std::move((*splits)[i]),
            .utterances = std::move(utterances[i]),
            .durationsSeconds = std::move(durations[i]) });
    return packed;
}

std::vector<std::string> trainingTexts(const Split& train)
{
    std::vector<std::string> texts;
    for (const auto& batch :
        data::makeBatches(*train.utterances, orderOfTexts(train, train.utterances->size()), 0, 1)) {
        for (const int64_t index : batch)
            texts.push_back((*train.utterances)[static_cast<size_t>(index)].text);
    }
    return texts;
}

std::vector<std::string> trainingTexts(const PackedSplit& train)
{
    std::vector<std::string> texts;
    texts.reserve(train.utterances.size());
    for (const auto& batch : data::makeBatches(
             train.durationsSeconds, orderOfTexts(train.split, train.utterances.size()), 0, 1)) {
        for (const int64_t index : batch)
            texts.push_back(train.utterances.textAt(static_cast<size_t>(index)));
    }
    return texts;
}

Result<data::MadeEncoder> makeEncoder(const plan::Plan& plan, const Split& train)
{
    return data::makeEncoder(*plan.recipe, trainingTexts(train));
}

} // namespace earwright::train
