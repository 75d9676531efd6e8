#include "core/train/memory/smaller_batches.h"

#include "core/base/text.h"
#include "core/recipe/parse.h"
#include "core/recipe/reference.h"
#include "core/train/dataset.h"

namespace earwright::train {

namespace {

/// The path of the value that the setting at `path` refers to, itself where it holds its own.
std::string referredTo(const recipe::Node& written, std::string path)
{
    constexpr int kLongestChain = 16;
    for (int i = 0; i < kLongestChain; ++i) {
        const recipe::NodePtr value = recipe::findPath(written, path);
        if (!value || value->tag != "!ref")
            break;
        const std::vector<recipe::Piece> pieces = recipe::splitReferences(value->text);
        if (pieces.size() != 1 || !pieces.front().isReference)
            break; // it is computed from another: only here is it its own
        path = join(recipe::readReference(pieces.front().text).keys, ".");
    }
    return path;
}

std::string pathOfSize(const plan::Plan& plan, const data::Batching& batching)
{
    const settings::SplitSettings& train = plan.settings.data.train;
    if (batching.dynamic)
        return train.lengthKey;
    const std::string own = train.loader + ".batch_size";
    return recipe::findPath(*plan.recipe, own) ? own : "batch_size";
}

} // namespace

std::vector<Setting> smallerBatches(
    const plan::Plan& plan, const data::Batching& batching, int64_t parts)
{
    const recipe::NodePtr written = recipe::parse(plan.recipeText, plan.recipeFile).root;
    const std::string path = pathOfSize(plan, batching);
    const std::string size = batching.dynamic
        ? formatDouble(batching.maxBatchLengthSeconds / static_cast<double>(parts))
        : std::to_string(std::max<int64_t>(1, batching.batchSize / parts));
    return { { written ? referredTo(*written, path) : path, size },
        { "grad_accumulation_factor",
            std::to_string(plan.options.gradAccumulationFactor * parts) } };
}

} // namespace earwright::train
