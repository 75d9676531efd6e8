#include "core/check/batch_sampler.h"

#include "core/recipe/value_at.h"

namespace earwright::check {

std::string batchSampler(const recipe::Node& recipe, const std::string& split)
{
    std::string key = "dynamic_batch_sampler_" + split;
    if (!recipe::find(recipe, key) && split == "train")
        key = "dynamic_batch_sampler";
    const recipe::NodePtr section = recipe::find(recipe, key);
    const bool isMapping = section && section->kind == recipe::Kind::Mapping;
    return isMapping && recipe::boolAt(recipe, "dynamic_batching", true) ? key : "";
}

} // namespace earwright::check
