#include "core/train/weights/speechbrain_files.h"

#include "core/base/file.h"
#include "core/train/task/recipe_keys.h"

#include <algorithm>
#include <optional>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileEnding = ".ckpt";
constexpr const char* kHubModel = "asr.ckpt"; ///< in folders of SpeechBrain's hub
constexpr const char* kHubStatistics = "normalizer.ckpt";

/// SpeechBrain's ModuleList names its layers in another way.
bool isTorchModuleList(const recipe::Node& node)
{
    return recipe::newClass(node) == "torch.nn.ModuleList" && node.items.size() == 1
        && node.items.front()->kind == recipe::Kind::Sequence;
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

const recipe::Entry* recoverableOf(
    const fs::path& file, const std::vector<recipe::Entry>& recoverables)
{
    const auto found = std::find_if(recoverables.begin(), recoverables.end(),
        [&](const recipe::Entry& entry) { return entry.key->text == file.stem(); });
    return file.extension() == kFileEnding && found != recoverables.end() ? &*found : nullptr;
}

/// Of the list of layers, whatever its file is called; empty where the recipe has none.
Renamings renamingsOfList(
    const std::vector<recipe::Entry>& recoverables, const recipe::Node& recipe)
{
    for (const recipe::Entry& entry : recoverables) {
        if (isTorchModuleList(*entry.value))
            return renamingsOf(entry.value, recipe);
    }
    return {};
}

/// The files of that ending whose names the recipe does not explain.
std::vector<fs::path> unexplained(
    const fs::path& folder, const std::vector<recipe::Entry>& recoverables)
{
    std::vector<fs::path> found;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        const fs::path& file = entry.path();
        if (file.extension() == kFileEnding && !recoverableOf(file, recoverables)
            && file.filename() != kHubStatistics)
            found.push_back(file);
    }
    return found;
}

/// The list of layers in a folder that does not have it under the recipe's name; "" where no file
/// is surely it.
fs::path listIn(const fs::path& folder, const std::vector<recipe::Entry>& recoverables)
{
    const bool isNamed
        = std::any_of(recoverables.begin(), recoverables.end(), [&](const recipe::Entry& entry) {
              return isTorchModuleList(*entry.value)
                  && isFile(folder / (entry.key->text + std::string(kFileEnding)));
          });
    if (isNamed)
        return {};
    const std::vector<fs::path> files = unexplained(folder, recoverables);
    const auto hub = std::find(files.begin(), files.end(), folder / kHubModel);
    return hub != files.end() ? *hub : files.size() == 1 ? files.front() : fs::path();
}

/// What a list holds; nothing of any other object.
std::vector<recipe::NodePtr> itemsOf(const recipe::Node& object)
{
    return isTorchModuleList(object) ? object.items.front()->items : std::vector<recipe::NodePtr>();
}

/// "" where the object is the layer itself, "1." where it is a list whose second layer it is.
std::optional<std::string> placeWithin(const recipe::NodePtr& object, const recipe::NodePtr& layer)
{
    if (object == layer)
        return "";
    const std::vector<recipe::NodePtr> items = itemsOf(*object);
    for (size_t i = 0; i < items.size(); ++i)
        if (const auto inner = placeWithin(items[i], layer))
            return std::to_string(i) + "." + *inner;
    return std::nullopt;
}

/// What the names of a layer's weights begin with, as where `modules` has it first, by itself or in
/// a list.
std::optional<std::string> firstName(const recipe::NodePtr& layer, const recipe::Node& recipe)
{
    const recipe::NodePtr modules = recipe::find(recipe, "modules");
    for (const recipe::Entry& entry : modules ? modules->entries : std::vector<recipe::Entry>())
        if (const auto place = placeWithin(entry.value, layer))
            return entry.key->text + "." + *place;
    return std::nullopt;
}

} // namespace

bool isNormalization(const recipe::Node& node)
{
    return recipe::newClass(node).ends_with(".InputNormalization");
}

std::string renamed(const std::string& name, const Renamings& renamings)
{
    for (const Renaming& renaming : renamings) {
        if (name.starts_with(renaming.from))
            return renaming.to + name.substr(renaming.from.size());
    }
    return name;
}

Renamings renamingsOf(const recipe::NodePtr& object, const recipe::Node& recipe)
{
    if (isNormalization(*object))
        return { { "", kNormalizeState } };
    if (!isTorchModuleList(*object)) {
        const auto name = firstName(object, recipe);
        return name ? Renamings { { "", *name } } : Renamings();
    }
    const std::vector<recipe::NodePtr> items = itemsOf(*object);
    Renamings all;
    for (size_t i = 0; i < items.size(); ++i) {
        for (const Renaming& inner : renamingsOf(items[i], recipe))
            all.push_back({ std::to_string(i) + "." + inner.from, inner.to });
    }
    return all;
}

Renamings renamingsOfFile(const fs::path& file, const recipe::Node& recipe)
{
    if (file.extension() != kFileEnding)
        return {};
    const auto recoverables = recoverablesOf(recipe);
    if (const recipe::Entry* entry = recoverableOf(file, recoverables))
        return renamingsOf(entry->value, recipe);
    if (file.filename() == kHubStatistics)
        return { { "", kNormalizeState } };
    return renamingsOfList(recoverables, recipe);
}

std::vector<std::pair<fs::path, Renamings>> speechbrainFiles(
    const fs::path& folder, const recipe::Node& recipe)
{
    const auto recoverables = recoverablesOf(recipe);
    std::vector<std::pair<fs::path, Renamings>> files;
    for (const recipe::Entry& entry : recoverables)
        files.emplace_back(folder / (entry.key->text + std::string(kFileEnding)),
            renamingsOf(entry.value, recipe));
    files.emplace_back(listIn(folder, recoverables), renamingsOfList(recoverables, recipe));
    if (!recoverableOf(kHubStatistics, recoverables))
        files.emplace_back(folder / kHubStatistics, Renamings { { "", kNormalizeState } });
    std::erase_if(
        files, [](const auto& file) { return file.second.empty() || !isFile(file.first); });
    return files;
}

std::vector<std::string> speechbrainNames(const recipe::Node& recipe)
{
    std::vector<std::string> names;
    for (const recipe::Entry& entry : recoverablesOf(recipe))
        if (!renamingsOf(entry.value, recipe).empty())
            names.push_back(entry.key->text + std::string(kFileEnding));
    return names;
}

} // namespace earwright::train
