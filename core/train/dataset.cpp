#include "core/train/dataset.h"

#include "core/check/batch_sampler.h"
#include "core/data/recipe_data.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"
#include "core/train/task/augment.h"

#include <limits>

namespace earwright::train {

namespace {

std::vector<double> numbersAt(const recipe::Node& root, const std::string& path)
{
    const recipe::NodePtr list = recipe::findPath(root, path);
    std::vector<double> numbers;
    for (size_t i = 0; list && i < list->items.size(); ++i)
        numbers.push_back(recipe::asDouble(*list->items[i]).value_or(0));
    return numbers;
}

void readSampler(const recipe::Node& sampler, data::Batching& batching)
{
    batching.dynamic = true;
    batching.maxBatchLengthSeconds = recipe::doubleAt(
        sampler, "max_batch_length", recipe::doubleAt(sampler, "max_batch_len", 200));
    batching.numBuckets = recipe::intAt(sampler, "num_buckets", 20);
    batching.bucketBoundaries = numbersAt(sampler, "bucket_boundaries");
    batching.maxBatchExamples = recipe::intAt(sampler, "max_batch_ex", 0);
    batching.shuffleExamples
        = recipe::boolAt(sampler, "shuffle", recipe::boolAt(sampler, "shuffle_ex", true));
    batching.dropLast = recipe::boolAt(sampler, "drop_last", false);
    if (const recipe::NodePtr seed = recipe::find(sampler, "seed"))
        batching.seed = recipe::asInt(*seed);
    const std::string ordering = recipe::textAt(sampler, "batch_ordering");
    batching.batchOrdering = ordering.empty() ? batching.batchOrdering : ordering;
}

data::Batching batchingOf(const plan::Plan& plan, const std::string& split)
{
    const recipe::Node& root = *plan.recipe;
    const std::string loader = split + "_dataloader_opts.";
    data::Batching batching;
    batching.sorting = split == "train" ? plan.options.sorting : "ascending";
    if (batching.sorting == "random" && !recipe::boolAt(root, loader + "shuffle", true))
        batching.sorting = "original";
    batching.batchSize
        = recipe::intAt(root, loader + "batch_size", recipe::intAt(root, "batch_size", 8));
    batching.dropLast = recipe::boolAt(root, loader + "drop_last", false);
    if (const std::string sampler = check::batchSampler(root, split); !sampler.empty())
        readSampler(*recipe::find(root, sampler), batching);
    return batching;
}

Result<std::vector<data::Utterance>> readUtterances(
    const recipe::Node& root, const std::string& split, const std::string& path, size_t& leftOut)
{
    Result<std::vector<data::Utterance>> utterances
        = data::readManifest(path, recipe::textAt(root, "data_folder"));
    if (!utterances)
        return utterances.error();
    if (utterances->empty())
        return Error { "manifest " + path + " has no utterances" };
    leftOut = split == "train" ? leaveOut(root, *utterances) : 0;
    if (utterances->empty())
        return Error { "avoid_if_longer_than and avoid_if_shorter_than leave no utterance of "
            + path };
    return utterances;
}

data::LoaderOptions loaderOf(const plan::Plan& plan, const std::string& split)
{
    const recipe::Node& root = *plan.recipe;
    data::LoaderOptions loader;
    loader.sampleRateHz = static_cast<int>(recipe::intAt(root, "sample_rate", 16000));
    loader.numWorkers = static_cast<int>(recipe::intAt(
        root, split + "_dataloader_opts.num_workers", recipe::intAt(root, "num_workers", 2)));
    loader.prefetchFactor = static_cast<int>(
        recipe::intAt(root, split + "_dataloader_opts.prefetch_factor", loader.prefetchFactor));
    const tasks::Spec* task = tasks::find(plan.options.task);
    if (task && task->listensForHotwords)
        loader.hotwords = { .shortest = recipe::intAt(root, "hotword_min_length", 2),
            .longest = recipe::intAt(root, "hotword_max_length", 8),
            .areWords = recipe::textAt(root, "hotword_unit") == "word",
            .distractors = recipe::intAt(root, "hotword_distractors", 0) };
    if (split == "train")
        loader.speeds = speedsOf(recipe::find(root, "wav_augment").get());
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

std::string batchLengthKey(const recipe::Node& recipe)
{
    const std::string sampler = check::batchSampler(recipe, "train");
    const bool isShort = !recipe::findPath(recipe, sampler + ".max_batch_length")
        && recipe::findPath(recipe, sampler + ".max_batch_len");
    return sampler + (isShort ? ".max_batch_len" : ".max_batch_length");
}

size_t leaveOut(const recipe::Node& recipe, std::vector<data::Utterance>& utterances)
{
    const double longest
        = recipe::doubleAt(recipe, "avoid_if_longer_than", std::numeric_limits<double>::infinity());
    const double shortest = recipe::doubleAt(recipe, "avoid_if_shorter_than", 0);
    return std::erase_if(utterances, [&](const data::Utterance& utterance) {
        return utterance.durationSeconds > longest || utterance.durationSeconds < shortest;
    });
}

Result<std::vector<Split>> readSplits(const plan::Plan& plan, const std::string& split)
{
    const data::LoaderOptions loader = loaderOf(plan, split);
    std::vector<Split> splits;
    for (const data::NamedManifest& manifest : data::manifestsOf(*plan.recipe, split)) {
        size_t leftOut = 0;
        Result<std::vector<data::Utterance>> utterances
            = readUtterances(*plan.recipe, split, manifest.path, leftOut);
        if (!utterances)
            return utterances.error();
        splits.push_back({ .name = manifest.name,
            .manifest = manifest.path,
            .utterances
            = std::make_shared<const std::vector<data::Utterance>>(std::move(*utterances)),
            .batching = batchingOf(plan, split),
            .loader = loader,
            .wordSplit = decode::wordSplitOf(plan.options.splitWords),
            .leftOut = leftOut });
        if (const Status batches = checkBatches(plan, split, splits.back()); !batches)
            return batches.error();
    }
    return splits;
}

Result<data::MadeEncoder> makeEncoder(const plan::Plan& plan, const Split& train)
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
    return data::makeEncoder(*plan.recipe, texts);
}

} // namespace earwright::train
