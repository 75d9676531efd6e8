#pragma once

#include "core/recipe/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>

namespace earwright::settings {

/// Edits of the recipe's own text. None where the place lies in an override or an included file.

/// Replaces the text of a scalar.
std::optional<recipe::Fix> replaceScalar(
    const recipe::Node& scalar, const std::string& fileName, const std::string& text);

/// The whole entry `key: value` as another text; none where it takes more than one line.
std::optional<recipe::Fix> replaceEntry(
    const recipe::Entry& entry, const std::string& fileName, const std::string& text);

/// Adds "line" ("ctc_lin: !ref <ctc_lin>") as the last entry of a mapping, at its indentation.
std::optional<recipe::Fix> addEntry(const recipe::Node& mapping, std::string_view recipeText,
    const std::string& fileName, const std::string& line);

/// The first entry of a mapping that has none: "modules:" with nothing below it.
std::optional<recipe::Fix> addFirstEntry(
    const recipe::Entry& emptyMapping, const std::string& fileName, const std::string& line);

/// Adds a line before the first key of the recipe.
std::optional<recipe::Fix> addFirstLine(
    const recipe::Node& root, const std::string& fileName, const std::string& line);

} // namespace earwright::settings
