#pragma once

#include "core/recipe/override.h"
#include "core/recipe/resolve.h"

namespace earwright::recipe {

/// "; did you mean 'precision'?", else what there is: "; it knows a, b and 3 more", "" for nothing.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& names);

/// The override as it reads with another path: "--dynamic_batch_sampler.max_batch_length=20".
std::string withPath(const Override& override, const std::vector<std::string>& path);

/// Where an override that names `name` at `path` may mean the key of that name: its paths below
/// `mapping`, in the order of the text, included files looked into. The path of `mapping` itself is
/// left out.
std::vector<std::vector<std::string>> placesOfKey(
    const Node& mapping, const std::string& name, const ResolveOptions& options);

/// What a reference leads to, through others: its path in `root` where that has keys or items; none
/// where it is a text with a reference in it, or leads to a plain value. Included files are looked
/// into.
std::optional<std::vector<std::string>> containerBehind(
    const Node& reference, const Node& root, const ResolveOptions& options);

} // namespace earwright::recipe
