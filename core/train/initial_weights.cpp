#include "core/train/initial_weights.h"

#include "core/base/text.h"
#include "core/model/torch_file.h"
#include "core/train/checkpoint.h"
#include "core/train/recipe_keys.h"

namespace kymo::train {

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

/// A beginning of names in a file, and what stands there in `modules`.
struct Renaming {
    std::string from; ///< "0."; "" = all names
    std::string to; ///< "CNN."
};
using Renamings = std::vector<Renaming>;

constexpr std::string_view kFileEnding = ".ckpt";

/// SpeechBrain's ModuleList names its layers in another way.
bool isTorchModuleList(const recipe::Node& node)
{
    return recipe::newClass(node) == "torch.nn.ModuleList" && node.items.size() == 1
        && node.items.front()->kind == recipe::Kind::Sequence;
}

/// Of an object of the recipe; empty where it is nothing that `modules` reaches.
Renamings renamingsOf(const recipe::NodePtr& object, const recipe::Node& recipe)
{
    if (recipe::newClass(*object).ends_with(".InputNormalization"))
        return { { "", kNormalizeState } };
    if (const recipe::NodePtr modules = recipe::find(recipe, "modules")) {
        for (const recipe::Entry& entry : modules->entries) {
            if (entry.value == object)
                return { { "", entry.key->text + "." } };
        }
    }
    Renamings all;
    if (!isTorchModuleList(*object))
        return all;
    const auto& items = object->items.front()->items;
    for (size_t i = 0; i < items.size(); ++i) {
        for (const Renaming& inner : renamingsOf(items[i], recipe))
            all.push_back({ std::to_string(i) + "." + inner.from, inner.to });
    }
    return all;
}

/// What SpeechBrain's scripts save where no checkpointer says it: `model`.
std::vector<recipe::Entry> recoverablesOf(const recipe::Node& recipe)
{
    const recipe::NodePtr named = recipe::findPath(recipe, "checkpointer.recoverables");
    if (named && named->kind == recipe::Kind::Mapping)
        return named->entries;
    const recipe::NodePtr model = recipe::find(recipe, "model");
    return model ? std::vector<recipe::Entry> { { recipe::makeScalar("model"), model } }
                 : std::vector<recipe::Entry> {};
}

/// For a file that lies by itself.
Renamings renamingsOfFile(const fs::path& file, const recipe::Node& recipe)
{
    if (file.extension() != kFileEnding)
        return {};
    const auto recoverables = recoverablesOf(recipe);
    for (const recipe::Entry& entry : recoverables) {
        if (entry.key->text == file.stem())
            return renamingsOf(entry.value, recipe);
    }
    for (const recipe::Entry& entry : recoverables) {
        if (isTorchModuleList(*entry.value))
            return renamingsOf(entry.value, recipe);
    }
    return {};
}

std::string renamed(const std::string& name, const Renamings& renamings)
{
    for (const Renaming& renaming : renamings) {
        if (name.starts_with(renaming.from))
            return renaming.to + name.substr(renaming.from.size());
    }
    return name;
}

Status addFile(const fs::path& file, const Renamings& renamings, Tensors& all)
{
    Result<model::TensorFile> read = model::readWeights(file);
    if (!read)
        return read.error();
    for (auto& [name, tensor] : read->tensors)
        all.insert_or_assign(renamed(name, renamings), std::move(tensor));
    return Done {};
}

Error nothingIn(const fs::path& folder, const std::vector<recipe::Entry>& recoverables)
{
    std::vector<std::string> wanted;
    for (const recipe::Entry& entry : recoverables)
        wanted.push_back(entry.key->text + std::string(kFileEnding));
    return Error { "'" + folder.string() + "' is no checkpoint or run that fits: it has neither "
        + "model.safetensors nor checkpoints nor, with weights of the recipe's `modules`, "
        + (wanted.empty() ? "model.ckpt" : join(wanted, ", ")) };
}

Result<Tensors> readFolder(const fs::path& folder, const recipe::Node& recipe)
{
    Tensors all;
    if (fs::is_regular_file(folder / "model.safetensors")) {
        const Status added = addFile(folder / "model.safetensors", {}, all);
        return added ? Result<Tensors>(all) : added.error();
    }
    const auto recoverables = recoverablesOf(recipe);
    for (const recipe::Entry& entry : recoverables) {
        const fs::path file = folder / (entry.key->text + std::string(kFileEnding));
        const Renamings renamings = renamingsOf(entry.value, recipe);
        if (renamings.empty() || !fs::is_regular_file(file))
            continue;
        if (const Status added = addFile(file, renamings, all); !added)
            return added.error();
    }
    if (all.empty())
        return nothingIn(folder, recoverables);
    return all;
}

} // namespace

Result<Tensors> readInitialWeights(const fs::path& path, const recipe::Node& recipe)
{
    std::error_code none;
    if (fs::is_directory(path, none))
        return readFolder(path, recipe);
    Tensors all;
    const Status added = addFile(path, renamingsOfFile(path, recipe), all);
    return added ? Result<Tensors>(std::move(all)) : added.error();
}

fs::path initialWeightsPath(const fs::path& given)
{
    const fs::path saved = given / "checkpoints";
    const auto best = bestCheckpoint(saved);
    return best ? *best : lastCheckpoint(saved).value_or(given);
}

} // namespace kymo::train
