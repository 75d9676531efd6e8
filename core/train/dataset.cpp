#include "core/train/dataset.h"

#include "core/data/recipe_data.h"
#include "core/train/augment.h"

namespace kymo::train {

namespace {

/// The value of an integer key, or the fallback.
int64_t intAt(const recipe::Node& root, const std::string& path, int64_t fallback)
{
    const recipe::NodePtr node = recipe::findPath(root, path);
    return node ? recipe::asInt(*node).value_or(fallback) : fallback;
}

double doubleAt(const recipe::Node& root, const std::string& path, double fallback)
{
    const recipe::NodePtr node = recipe::findPath(root, path);
    return node ? recipe::asDouble(*node).value_or(fallback) : fallback;
}

bool boolAt(const recipe::Node& root, const std::string& path, bool fallback)
{
    const recipe::NodePtr node = recipe::findPath(root, path);
    return node ? recipe::asBool(*node).value_or(fallback) : fallback;
}

std::string textAt(const recipe::Node& root, const std::string& path)
{
    const recipe::NodePtr node = recipe::findPath(root, path);
    return node && !recipe::isNull(*node) ? recipe::asString(*node) : "";
}

data::Batching batchingOf(const plan::Plan& plan, const std::string& split)
{
    const recipe::Node& root = *plan.recipe;
    data::Batching batching;
    const bool training = split == "train";
    batching.sorting = training ? plan.options.sorting : "ascending";
    batching.batchSize
        = intAt(root, split + "_dataloader_opts.batch_size", intAt(root, "batch_size", 8));
    const recipe::NodePtr dynamic = recipe::find(root, "dynamic_batch_sampler");
    const recipe::NodePtr enabled = recipe::find(root, "dynamic_batching");
    batching.dynamic = training && dynamic && dynamic->kind == recipe::Kind::Mapping
        && (!enabled || recipe::asBool(*enabled).value_or(true));
    if (batching.dynamic) {
        batching.maxBatchLengthSeconds
            = doubleAt(*dynamic, "max_batch_length", doubleAt(*dynamic, "max_batch_len", 200));
        batching.numBuckets = intAt(*dynamic, "num_buckets", 20);
        batching.maxBatchExamples = intAt(*dynamic, "max_batch_ex", 0);
        batching.shuffleExamples = boolAt(*dynamic, "shuffle", true);
        batching.dropLast = boolAt(*dynamic, "drop_last", false);
        const std::string ordering = textAt(*dynamic, "batch_ordering");
        batching.batchOrdering = ordering.empty() ? batching.batchOrdering : ordering;
    }
    return batching;
}

} // namespace

Result<Split> readSplit(const plan::Plan& plan, const std::string& name)
{
    const recipe::Node& root = *plan.recipe;
    Split split { .name = name,
        .manifest = data::manifestPath(root, name),
        .utterances = nullptr,
        .batching = batchingOf(plan, name),
        .loader = {} };
    const std::string& path = split.manifest;
    if (path.empty())
        return split;
    Result<std::vector<data::Utterance>> utterances
        = data::readManifest(path, textAt(root, "data_folder"));
    if (!utterances)
        return utterances.error();
    if (utterances->empty())
        return Error { "manifest " + path + " has no utterances" };
    split.utterances = std::make_shared<const std::vector<data::Utterance>>(std::move(*utterances));
    split.loader.sampleRateHz = static_cast<int>(intAt(root, "sample_rate", 16000));
    split.loader.numWorkers = static_cast<int>(
        intAt(root, name + "_dataloader_opts.num_workers", intAt(root, "num_workers", 2)));
    if (plan.options.task == "seaco_paraformer")
        split.loader.hotwords = { .shortest = intAt(root, "hotword_min_length", 2),
            .longest = intAt(root, "hotword_max_length", 8),
            .areWords = textAt(root, "hotword_unit") == "word" };
    if (name == "train") {
        const recipe::NodePtr augmenter = recipe::find(root, "wav_augment");
        Result<std::vector<double>> speeds = speedsOf(augmenter.get());
        if (!speeds)
            return speeds.error();
        split.loader.speeds = std::move(*speeds);
    }
    return split;
}

Result<data::MadeEncoder> makeEncoder(const plan::Plan& plan, const Split& train)
{
    // Labels are numbered as they appear in the order of training, as upstream's
    // update_from_didataset numbers them on a sorted set. A shuffled set counts in the manifest's
    // order, so that the labels do not hang on the seed.
    data::Batching inOrder = train.batching;
    inOrder.dynamic = false;
    inOrder.sorting = inOrder.sorting == "random" ? "original" : inOrder.sorting;
    std::vector<std::string> texts;
    for (const auto& batch : data::makeBatches(*train.utterances, inOrder, 0, 1)) {
        for (const int64_t index : batch)
            texts.push_back((*train.utterances)[static_cast<size_t>(index)].text);
    }
    return data::makeEncoder(*plan.recipe, texts);
}

} // namespace kymo::train
