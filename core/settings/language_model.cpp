#include "core/settings/language_model.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/recipe/resolve.h"
#include "core/settings/pretrainer.h"
#include "core/settings/tree.h"

namespace earwright::settings {

namespace {

using recipe::Node;
using recipe::NodePtr;

/// The key of the top that holds it, for people.
std::string nameOfObject(const Node& root, const NodePtr& object)
{
    for (const recipe::Entry& entry : root.entries)
        if (entry.value == object)
            return inQuotes(entry.key->text);
    return "the language model";
}

/// A search made by `!copy` has a copy of the model.
const recipe::Entry* loadableOf(const Node& loadables, const NodePtr& model)
{
    const recipe::Entry* alike = nullptr;
    for (const recipe::Entry& entry : loadables.entries) {
        if (entry.value == model)
            return &entry;
        if (!alike && recipe::emitYaml(*entry.value) == recipe::emitYaml(*model))
            alike = &entry;
    }
    return alike;
}

} // namespace

LanguageModelFile languageModelFile(const Node& root, const NodePtr& model)
{
    const NodePtr pretrainer = pretrainerOf(root);
    const NodePtr loadables = pretrainer ? recipe::find(*pretrainer, "loadables") : nullptr;
    const recipe::Entry* loadable = loadables ? loadableOf(*loadables, model) : nullptr;
    const std::string name = nameOfObject(root, model);
    if (!loadable)
        return { {},
            name
                + " has no weights: add it to 'loadables' of a 'pretrainer', a "
                  "!new: of speechbrain.utils.parameter_transfer.Pretrainer, and its file to "
                  "'paths'",
            nullptr };
    const std::string& key = loadable->key->text;
    const NodePtr paths = recipe::find(*pretrainer, "paths");
    const NodePtr path = paths ? recipe::find(*paths, key) : nullptr;
    if (!path || recipe::isNull(*path))
        return { {},
            "'paths' of 'pretrainer' has no " + inQuotes(key) + ", the file that " + name
                + " is loaded from",
            path };
    const std::string file = catalog::isUndetermined(*path) ? "" : recipe::asString(*path);
    return { file, "", path, "pretrainer.paths." + key };
}

} // namespace earwright::settings
