#pragma once

#include "core/base/result.h"
#include "core/language/document.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::language {

/// A key and what hangs below it, for the outline.
struct Symbol {
    std::string name;
    std::string detail; ///< "Linear", "0.15", "<n_neurons>"
    std::string tag; ///< of the value: "!new:speechbrain.nnet.linear.Linear", "!ref", ""
    std::string path; ///< "enc.dropout"
    recipe::Span nameSpan;
    recipe::Span span; ///< key and value
    std::vector<Symbol> children;
};

std::vector<Symbol> outline(const Document& document);

/// Where the key is defined that a reference, an alias or a key at `at` names; the included file's
/// place for an included key.
std::optional<recipe::Span> definition(const Document& document, recipe::Position at);

/// Every place that names the same key, its definition first. Names only, without brackets.
std::vector<recipe::Span> references(const Document& document, recipe::Position at);

/// Renames the key at `at` and every reference to it. Refused where the new name is no plain key,
/// is taken among its siblings, or the key stands in an included file.
Result<std::vector<recipe::Edit>> rename(
    const Document& document, recipe::Position at, const std::string& newName);

/// Fixes of the diagnostics that touch the span, nearest first.
std::vector<recipe::Fix> fixesAt(const Document& document, const recipe::Span& span);

} // namespace earwright::language
