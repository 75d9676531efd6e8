#pragma once

#include "core/recipe/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::catalog {

/// The class of a `!new:`, `!name:` or `!apply:` node, "" for any other.
std::string_view classOf(const recipe::Node& node);
/// "Linear" of "speechbrain.nnet.linear.Linear".
std::string lastPart(std::string_view className);

/// A placeholder or a reference that does not resolve: reported where it stands, its type is
/// nobody's fault.
bool isUndetermined(const recipe::Node& node);
/// Plain values only: an object's text is no value of its own.
bool isValue(const recipe::Node& node);
/// Items of a sequence, of a tuple "(1, 2)", or the scalar itself as the only one.
std::vector<recipe::NodePtr> listItems(const recipe::Node& node);

/// What was given, for messages: "a list", "null", "0.5", "an object of torch.nn.ReLU".
std::string describe(const recipe::Node& node);
/// Replaces a node's text; none where it does not stand in the recipe itself (an override, an
/// included file).
std::optional<recipe::Fix> replaceWith(const recipe::Node& node, std::string text);

} // namespace earwright::catalog
