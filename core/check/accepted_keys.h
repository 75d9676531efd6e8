#pragma once

#include "core/recipe/resolve.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::check {

/// Which names besides those it has a mapping accepts from an override; none = any. The arguments
/// of a class of the catalogue; what reads a section (`train_conf`, `*_dataloader_opts`,
/// `dynamic_batch_sampler*`); for any other section at the top, no name; for a mapping further down
/// any that is not near to one it has, since it may be data (`pretrainer.paths`); for the top, what
/// something of Earwright's reads.
std::optional<std::vector<std::string>> acceptedKeys(
    const std::vector<std::string>& path, const recipe::Node& mapping, const std::string& name);

/// The arguments of what upstream makes of a section: torch's DataLoader of `*_dataloader_opts`,
/// SpeechBrain's DynamicBatchSampler of `dynamic_batch_sampler*`; none for another section. The
/// names live as long as the program.
const std::vector<std::string>& argumentNames(std::string_view section);

/// How `earwright` resolves a recipe: every run option may be added, overrides are held against the
/// catalogue.
recipe::ResolveOptions resolveOptions();

} // namespace earwright::check
