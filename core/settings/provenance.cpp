#include "core/settings/provenance.h"

#include <filesystem>
#include <utility>

namespace earwright::settings {

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

} // namespace earwright::settings
