#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/source.h"

#include <optional>
#include <string>

namespace earwright::recipe {

/// Bytes no YAML text may hold: control characters, broken UTF-8.
std::optional<Diagnostic> checkCharacters(const SourceText& source, const std::string& file);

} // namespace earwright::recipe
