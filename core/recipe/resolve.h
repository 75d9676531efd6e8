#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/override.h"
#include "core/recipe/parse.h"

#include <functional>
#include <string>
#include <vector>

namespace earwright::recipe {

struct Resolved {
    NodePtr root; ///< without !ref, !copy, !include:; tuples are sequences tagged "!tuple";
                  ///< top-level keys starting
                  ///< "__" are still present (withoutHiddenKeys()); null where it does not parse
    NodePtr written; ///< as parse() gave it, where ResolveOptions::keepWritten asks for it
    std::vector<Diagnostic> diagnostics; ///< rules: parse()'s, unknown-reference, reference-cycle,
                                         ///< placeholder, unknown-override, include, arithmetic
};

/// Of the file system: an error for what is no file or too large for a recipe.
Result<std::string> readInclude(const std::string& path);

struct ResolveOptions {
    /// Reads an included file; the default is the function above. An Error becomes a diagnostic at
    /// the !include.
    std::function<Result<std::string>(const std::string& path)> readInclude {};
    /// What is not known (a placeholder left, a reference that leads nowhere and all that is made
    /// of either) is a diagnostic either way; in the tree it is null, or with `true` a scalar
    /// tagged "!PLACEHOLDER".
    bool keepPlaceholders = false;
    /// Resolving changes the tree that was parsed; a copy of it is kept.
    bool keepWritten = false;
    /// Top-level keys an override may add to a recipe that lacks them. (Origin::Option may always.)
    std::vector<std::string> addableKeys {};
    /// Which names besides those it has the mapping at `path` accepts from an override that would
    /// add `name`; none = any. Without the function every mapping below the top accepts any name,
    /// as upstream's does. Of the top (an empty path): those that only `++key=value` adds.
    std::function<std::optional<std::vector<std::string>>(
        const std::vector<std::string>& path, const Node& mapping, const std::string& name)>
        acceptedKeys {};
};

/// recipe-language rules of HyperPyYAML, first pass: overrides -> references -> the tree an object
/// builder would read. Nothing in the recipe is executed. `fileName` is where relative includes
/// start.
Resolved resolve(std::string_view text, const std::string& fileName,
    const std::vector<Override>& overrides, const ResolveOptions& options = {});

/// YAML text of a resolved tree: tags kept, shared objects as anchors and aliases.
/// `resolve(emitYaml(t))` gives t again.
std::string emitYaml(const Node& root);
/// Numbers, booleans and null as JSON has them, .inf and .nan as text; what is shared is repeated.
/// A tagged node is
/// {"tag": "!new:X", "value": …}, a tuple a plain array.
std::string emitJson(const Node& root);

} // namespace earwright::recipe
