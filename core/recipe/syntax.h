#pragma once

#include "core/recipe/tree.h"

namespace earwright::recipe {

/// yaml-cpp's error in words that say what to try, at the place that is wrong: yaml-cpp often stops
/// a line later, or at the end of the text.
Diagnostic explainSyntax(
    const SourceText& source, const std::string& file, const SyntaxError& error);

} // namespace earwright::recipe
