#pragma once

#include "core/recipe/resolve.h"

namespace earwright::fuzz {

/// Includes are read from memory: "a.yaml" and "b.yaml" are small files, "self.yaml" is the text
/// itself, all others are missing.
recipe::ResolveOptions includesOf(std::string_view text);

/// What holds for whatever was resolved from "x.yaml": diagnostics can be shown and their fixes
/// applied; a tree without errors written as YAML resolves to itself, and its JSON is JSON. ""
/// where all of it does, else what does not.
std::string brokenProperty(const recipe::Resolved& resolved, const std::string& text);

} // namespace earwright::fuzz
