#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/override.h"
#include "core/recipe/parse.h"

#include <functional>
#include <string>
#include <vector>

namespace kymo::recipe {

struct Resolved {
    NodePtr root; ///< without !ref, !copy, !include:, top-level keys starting "__" still present; null where it does not parse
    std::vector<Diagnostic> diagnostics; ///< rules: syntax, unknown-reference, reference-cycle, placeholder, unknown-override, include …
};

struct ResolveOptions {
    /// Reads an included file; the default reads the file system. An Error becomes a diagnostic at the !include.
    std::function<Result<std::string>(const std::string& path)> readInclude;
    bool keepPlaceholders = false; ///< a placeholder left is a diagnostic either way; true keeps its node in the tree
};

/// recipe-language rules of HyperPyYAML, first pass: overrides -> references -> the tree an object builder would read.
/// Nothing in the recipe is executed. `fileName` is where relative includes start.
Resolved resolve(std::string_view text, const std::string& fileName, const std::vector<Override>& overrides,
    const ResolveOptions& options = {});

/// YAML text of a resolved tree: tags kept, shared objects as anchors and aliases. `resolve(emitYaml(t))` gives t again.
std::string emitYaml(const Node& root);
std::string emitJson(const Node& root);

} // namespace kymo::recipe
