#include "core/check/options.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace earwright::check {

using recipe::Node;

namespace {

const char* sourceName(recipe::Origin origin)
{
    switch (origin) {
    case recipe::Origin::Default:
        return "default";
    case recipe::Origin::Recipe:
        return "recipe";
    case recipe::Origin::Include:
        return "include";
    case recipe::Origin::Override:
        return "override";
    case recipe::Origin::Option:
        return "option";
    }
    return "";
}

} // namespace

Provenance provenanceOf(std::string key, std::string value, const Node* node, std::string consumer)
{
    Provenance provenance { std::move(key), std::move(value), "default", "", std::move(consumer) };
    if (!node)
        return provenance;
    provenance.source = sourceName(node->origin);
    if (node->origin == recipe::Origin::Default && !node->originText.empty())
        provenance.source = "inferred";
    const bool isInFile
        = node->origin == recipe::Origin::Recipe || node->origin == recipe::Origin::Include;
    provenance.place = isInFile ? std::filesystem::path(node->span.file).filename().string() + ":"
            + std::to_string(node->span.begin.line)
                                : node->originText;
    return provenance;
}

bool isAsked(const Request& request, const std::string& path)
{
    return std::any_of(
        request.overrides.begin(), request.overrides.end(), [&](const recipe::Override& override) {
            const std::string own = join(override.path, ".");
            return own == path || own.starts_with(path + ".")
                || (path.starts_with(own + ".")
                    && recipe::findPath(*override.value, path.substr(own.size() + 1)));
        });
}

} // namespace earwright::check
