#pragma once

#include "core/recipe/node.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::adapter {

/// Toolkits whose configurations are plain YAML: `encoder: Name` beside `encoder_conf: {…}`.
enum class Toolkit { FunAsr, WeNet, Espnet };

/// "FunASR"
const char* nameOf(Toolkit toolkit);

/// Whose configuration this is, by its shape alone; none for a recipe. `root` may be parsed or
/// resolved.
std::optional<Toolkit> toolkitOf(const recipe::Node& root);

/// Full name of the class that `name` stands for in a section ("decoder", "seaco_decoder" …); ""
/// where the catalogue has no such table or it lacks the name.
std::string classOf(Toolkit toolkit, std::string_view section, const std::string& name);

/// The names that a section may have; none where the catalogue has no table for it.
std::vector<std::string> namesOf(Toolkit toolkit, std::string_view section);

} // namespace earwright::adapter
