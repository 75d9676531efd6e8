#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"

#include <string>

namespace earwright::settings {

/// Where an option is given, the path that counts first. EpochCounter's limit is what upstream's
/// loop obeys; number_of_epochs is usually what it refers to. FunASR's `++train_conf.KEY=…` counts
/// before what the recipe has itself.
Names optionPaths(const recipe::Node& root, const std::string& key);
/// The first of them, "" where the recipe says nothing.
std::string optionPath(const recipe::Node& root, const std::string& key);
/// The node that sets an option, null where the recipe says nothing (an explicit null says
/// nothing).
recipe::NodePtr findOption(const recipe::Node& root, const std::string& key);

/// Whether an override gives what stands at a path that is there.
bool isOverridden(const recipe::Node& root, const std::string& path);

} // namespace earwright::settings
