#pragma once

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/recipe/node.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace earwright::settings {

using NodeSet = std::unordered_set<const recipe::Node*>;

/// Visits every node at and below `node` once, parents first; shared objects are visited where they
/// are met first. Where `visit` says false, the node's children are left out.
void walk(const recipe::NodePtr& node, const std::function<bool(const recipe::NodePtr&)>& visit);

/// Every node at and below `node`; a null one has none.
NodeSet reachableFrom(const recipe::NodePtr& node);

/// The entry of a key of a mapping, or null.
const recipe::Entry* findEntry(const recipe::Node& mapping, std::string_view key);
/// The same; null too where the value is.
const recipe::Entry* givenEntry(const recipe::Node& mapping, std::string_view key);

/// A value that only the user can give and has not: reported by resolve().
bool isOpen(const recipe::Node& node);

/// The text of a scalar without a tag, "" for everything else.
std::string plainText(const recipe::NodePtr& node);

} // namespace earwright::settings
