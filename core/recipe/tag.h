#pragma once

#include "core/recipe/node.h"

#include <optional>
#include <string>

namespace earwright::recipe {

/// What is wrong with a tag, and what is likely meant.
struct TagFault {
    std::string message;
    std::string instead; ///< "" where nothing is near
    bool takesText = false; ///< `instead` holds the scalar's text too: "!new:torch.nn.Linear"
};

/// None where HyperPyYAML builds something of the tag. It knows its own tags, of which some need a
/// name behind the colon, and those of ruamel.yaml, by which it reads.
std::optional<TagFault> faultOfTag(const Node& node);

} // namespace earwright::recipe
