#include "core/settings/search_context.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/given.h"
#include "core/recipe/resolve.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"

#include <algorithm>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

namespace {

bool holds(const Node& mapping, const NodePtr& value)
{
    return std::any_of(mapping.entries.begin(), mapping.entries.end(),
        [&](const recipe::Entry& entry) { return entry.value == value; });
}

int64_t sizeOfLayer(const Node& root, const char* key, const char* argument)
{
    const NodePtr layer = adaptedObject(findLayer(root, key));
    return layer ? catalog::Given(*layer).integer(argument) : 0;
}

} // namespace

std::string_view objectClass(const Node& node)
{
    const std::string_view name = recipe::newClass(node);
    const catalog::ClassInfo* info = catalog::findClass(name);
    return info ? std::string_view(info->name) : name;
}

bool isGiven(const NodePtr& node)
{
    return node && !recipe::isNull(*node) && !catalog::isUndetermined(*node);
}

void SearchContext::report(const Node& place, std::string message, recipe::Severity severity)
{
    m_found.push_back({ severity, "search", std::move(message), place.span, std::nullopt, {} });
}

void SearchContext::isToken(const char* argument, int64_t index, const Node& object)
{
    const int64_t tokens = sizeOfLayer(m_root, "Transformer", "tgt_vocab");
    const NodePtr given = recipe::find(object, argument);
    if (tokens > 0 && index >= tokens)
        report(given ? *given : object,
            inQuotes(argument) + " of a search is " + std::to_string(index)
                + ", none of the decoder's " + std::to_string(tokens)
                + " tokens (tgt_vocab of Transformer)");
}

int64_t SearchContext::outputs() const
{
    const int64_t neurons = sizeOfLayer(m_root, "seq_lin", "n_neurons");
    return neurons > 0 ? neurons : sizeOfLayer(m_root, "Transformer", "tgt_vocab");
}

void SearchContext::fitsOutputs(const Node& object, const char* argument)
{
    const int64_t own = catalog::Given(object).integer(argument);
    const NodePtr given = recipe::find(object, argument);
    if (own > 0 && outputs() > 0 && own != outputs())
        report(given ? *given : object,
            inQuotes(argument) + " of " + catalog::lastPart(objectClass(object)) + " is "
                + std::to_string(own) + ", but the decoder scores " + std::to_string(outputs())
                + " tokens (seq_lin): both must be the same tokens");
}

bool SearchContext::isOf(const NodePtr& given, const NodePtr& layer) const
{
    const NodePtr modules = recipe::find(m_root, "modules");
    const bool isOther = holds(m_root, given) || (modules && holds(*modules, given));
    return given == layer || (!isOther && recipe::emitYaml(*given) == recipe::emitYaml(*layer));
}

} // namespace earwright::settings
