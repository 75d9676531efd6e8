#include "core/settings/data_settings.h"

#include "core/recipe/value_at.h"

namespace earwright::settings {

namespace {

using recipe::Node;

std::string samplerOf(const Node& recipe, const std::string& split)
{
    std::string key = "dynamic_batch_sampler_" + split;
    if (!recipe::find(recipe, key) && split == "train")
        key = "dynamic_batch_sampler";
    if (!recipe::find(recipe, key) && split == "valid")
        key = "dynamic_batch_sampler_val"; // LibriSpeech/ASR/CTC's name
    const recipe::NodePtr section = recipe::find(recipe, key);
    const bool isMapping = section && section->kind == recipe::Kind::Mapping;
    return isMapping && recipe::boolAt(recipe, "dynamic_batching", true) ? key : "";
}

/// The section of the data loader, by the names that upstream's scripts have for it.
std::string loaderOf(const Node& root, const std::string& split)
{
    const std::string own = split + "_dataloader_opts";
    for (const std::string& key : { own, split + "_dataloader_options", split + "_loader_kwargs" })
        if (recipe::find(root, key))
            return key;
    return recipe::find(root, "dataloader_options") ? "dataloader_options" : own;
}

std::vector<double> numbersAt(const Node& root, const std::string& path)
{
    const recipe::NodePtr list = recipe::findPath(root, path);
    std::vector<double> numbers;
    for (size_t i = 0; list && i < list->items.size(); ++i)
        numbers.push_back(recipe::asDouble(*list->items[i]).value_or(0));
    return numbers;
}

void readSampler(const Node& sampler, Batching& batching)
{
    batching.dynamic = true;
    batching.maxBatchLengthSeconds = recipe::doubleAt(sampler, "max_batch_length",
        recipe::doubleAt(sampler, "max_batch_len", batching.maxBatchLengthSeconds));
    batching.numBuckets = recipe::intAt(sampler, "num_buckets", batching.numBuckets);
    batching.bucketBoundaries = numbersAt(sampler, "bucket_boundaries");
    batching.maxBatchExamples = recipe::intAt(sampler, "max_batch_ex", batching.maxBatchExamples);
    batching.shuffleExamples
        = recipe::boolAt(sampler, "shuffle", recipe::boolAt(sampler, "shuffle_ex", true));
    batching.dropLast = recipe::boolAt(sampler, "drop_last", false);
    if (const recipe::NodePtr size = recipe::find(sampler, "sort_size")) {
        batching.sortSize = recipe::asInt(*size);
        batching.batchOrdering = "original"; // FunASR's has no other
    }
    if (const recipe::NodePtr seed = recipe::find(sampler, "seed"))
        batching.seed = recipe::asInt(*seed);
    const std::string ordering = recipe::textAt(sampler, "batch_ordering");
    batching.batchOrdering = ordering.empty() ? batching.batchOrdering : ordering;
}

Batching batchingOf(const Node& root, const std::string& loader, const std::string& sorting)
{
    Batching batching;
    batching.sorting = sorting;
    if (sorting == "random" && !recipe::boolAt(root, loader + "shuffle", true))
        batching.sorting = "original";
    batching.batchSize = recipe::intAt(
        root, loader + "batch_size", recipe::intAt(root, "batch_size", batching.batchSize));
    batching.dropLast = recipe::boolAt(root, loader + "drop_last", false);
    return batching;
}

SplitSettings splitOf(const Node& root, const std::string& split, const std::string& sorting)
{
    SplitSettings settings;
    settings.loader = loaderOf(root, split);
    const std::string loader = settings.loader + ".";
    settings.sampler = samplerOf(root, split);
    settings.batching = batchingOf(root, loader, sorting);
    settings.numWorkers = static_cast<int>(recipe::intAt(
        root, loader + "num_workers", recipe::intAt(root, "num_workers", settings.numWorkers)));
    settings.prefetchFactor = static_cast<int>(
        recipe::intAt(root, loader + "prefetch_factor", settings.prefetchFactor));
    if (settings.sampler.empty())
        return settings;
    const Node& sampler = *recipe::find(root, settings.sampler);
    readSampler(sampler, settings.batching);
    const bool isShort
        = !recipe::find(sampler, "max_batch_length") && recipe::find(sampler, "max_batch_len");
    settings.lengthKey = settings.sampler + (isShort ? ".max_batch_len" : ".max_batch_length");
    return settings;
}

} // namespace

DataSettings dataSettings(const Node& recipe, const std::string& sorting)
{
    DataSettings settings;
    settings.dataFolder = recipe::textAt(recipe, "data_folder");
    settings.columns = manifestColumns(recipe);
    settings.sampleRateHz
        = static_cast<int>(recipe::intAt(recipe, "sample_rate", settings.sampleRateHz));
    settings.longestSeconds
        = recipe::doubleAt(recipe, "avoid_if_longer_than", settings.longestSeconds);
    settings.shortestSeconds = recipe::doubleAt(recipe, "avoid_if_shorter_than",
        recipe::doubleAt(recipe, "avoid_if_smaller_than", settings.shortestSeconds));
    settings.longestHeardSeconds
        = recipe::doubleAt(recipe, "avoid_if_longer_than_val_test", settings.longestHeardSeconds);
    settings.train = splitOf(recipe, "train", sorting);
    settings.valid = splitOf(recipe, "valid", "ascending");
    settings.test = splitOf(recipe, "test", "ascending");
    return settings;
}

} // namespace earwright::settings
