#include "core/train/starting_recipe.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace kymo::train {

namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "init_param";

/// Of a sequence, or of a text with commas.
std::string firstPath(const recipe::Node& given)
{
    if (given.kind == recipe::Kind::Sequence)
        return given.items.empty() ? "" : recipe::asString(*given.items.front());
    const std::string text = recipe::asString(given);
    std::error_code none;
    return fs::exists(text, none) ? text : std::string(trim(split(text, ',').front()));
}

} // namespace

StartingRecipe::StartingRecipe(const recipe::Node& recipe)
    : m_recipe(recipe::deepCopy(recipe))
{
    const auto entry = std::find_if(m_recipe->entries.begin(), m_recipe->entries.end(),
        [](const recipe::Entry& one) { return one.key->text == kKey; });
    if (entry == m_recipe->entries.end() || recipe::isNull(*entry->value))
        return;
    std::string path = firstPath(*entry->value);
    if (run::isCapsuleFile(path)) {
        if (auto opened = run::Capsule::open(path)) {
            m_capsule = std::make_unique<run::Capsule>(std::move(*opened));
            path = m_capsule->run().path.string();
        }
    }
    entry->value = recipe::makeScalar(path, entry->value->origin);
}

} // namespace kymo::train
