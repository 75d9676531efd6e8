#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::plan {

/// The dotted paths at which two resolved trees differ, each as far down as it goes
/// ("opt_class.lr"; items of lists have their number, "speeds.0"), of a key that one of them lacks
/// the key's.
std::vector<std::string> differences(const recipe::Node& before, const recipe::Node& after);

/// What stands at a path of a tree: a scalar's text, "nothing" of a key that is not there, of all
/// else its YAML in one line.
std::string textAtPath(const recipe::Node& root, const std::string& path);

} // namespace earwright::plan
