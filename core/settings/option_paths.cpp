#include "core/settings/option_paths.h"

#include <algorithm>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

bool isOverridden(const Node& root, const std::string& path)
{
    return recipe::findPath(root, path)->origin >= recipe::Origin::Override;
}

Names optionPaths(const Node& root, const std::string& key)
{
    Names paths { key, "train_conf." + key };
    if (key == "number_of_epochs")
        paths.insert(paths.begin(), "epoch_counter.limit");
    std::erase_if(paths, [&](const std::string& path) {
        const NodePtr node = recipe::findPath(root, path);
        return !node || recipe::isNull(*node);
    });
    const auto overridden = std::find_if(paths.begin(), paths.end(),
        [&](const std::string& path) { return isOverridden(root, path); });
    if (overridden != paths.end() && overridden->starts_with("train_conf."))
        std::rotate(paths.begin(), overridden, paths.end());
    return paths;
}

std::string optionPath(const Node& root, const std::string& key)
{
    const Names paths = optionPaths(root, key);
    return paths.empty() ? "" : paths.front();
}

NodePtr findOption(const Node& root, const std::string& key)
{
    const std::string path = optionPath(root, key);
    return path.empty() ? nullptr : recipe::findPath(root, path);
}

} // namespace earwright::settings
