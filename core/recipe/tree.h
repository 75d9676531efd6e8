#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/source.h"

#include <cstddef>
#include <string>
#include <vector>

namespace earwright::recipe {

/// What yaml-cpp could not read, or reads although it is no YAML.
struct SyntaxError {
    size_t offset = 0;
    std::string reason; ///< yaml-cpp's words; ours: "lone key", "quote not closed", "no space after
                        ///< the tag", "second document"
};

struct Tree {
    NodePtr root; ///< null where there is an error; a null scalar for an empty text
    std::optional<SyntaxError> error;
    std::vector<Diagnostic> diagnostics; ///< all but syntax errors
};

/// yaml-cpp's events as our tree. The only place that includes yaml-cpp and catches what it throws.
Tree buildTree(const SourceText& source, const std::string& file);

/// Applies merges (`<<`) to a mapping just read and reports keys given twice.
void finishMapping(Node& mapping, std::vector<Diagnostic>& diagnostics);

} // namespace earwright::recipe
