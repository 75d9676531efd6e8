#pragma once

#include "core/recipe/node.h"

namespace earwright::recipe {

/// Stands for a value nobody knows yet, so that no later check complains of it again.
NodePtr unknownValue(const Node& at);
bool isUnknown(const Node& node);
/// The node, said to stand and come from where `at` does.
NodePtr placedAt(NodePtr node, const Node& at);
bool isUntaggedString(const Node& node);

} // namespace earwright::recipe
