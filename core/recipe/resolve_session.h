#pragma once

#include "core/recipe/apply_override.h"
#include "core/recipe/extent.h"
#include "core/recipe/resolve.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace earwright::recipe {

/// What a recipe and the files it includes share while they are resolved.
struct Session {
    const ResolveOptions& options;
    std::vector<Diagnostic> diagnostics;
    WaitingOverrides waitingOverrides;
    std::vector<std::string> openFiles; ///< the recipe, what it includes, what that includes …
    std::vector<Span> includePlaces; ///< of each open file but the first
    std::unordered_set<std::string> refusedTags {}; ///< by their places and paths
    size_t includedFiles = 0;
    size_t includedBytes = 0;
    size_t copiedNodes = 0;
    size_t madeBytes = 0; ///< of texts and copies that references made
    size_t comparedNames = 0; ///< for suggestions
    size_t openNodes = 0; ///< being resolved, in all open files: each takes a part of the stack
    ExtentMeter meter {};
};

} // namespace earwright::recipe
