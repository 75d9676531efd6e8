#pragma once

#include "core/base/result.h"
#include "core/catalog/field.h"
#include "core/language/document.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::language {

/// One setting of a recipe as a form shows it.
struct FormRow {
    std::string path; ///< "enc.dropout"
    std::string label; ///< "dropout"
    catalog::Field field; ///< type, default, unit, range, choices, help; a top-level scalar has
                          ///< what its value and the run options tell
    std::string text; ///< as written in the recipe: "0.15", "!ref <dropout>"; the default where it
                      ///< is left out
    std::string value; ///< as resolved
    bool isWritten = false; ///< false: the recipe leaves it out, `text` is the default
    bool isReference = false; ///< a `!ref` or an alias: to edit it here would break the link
    bool isEditable = true; ///< false: it has rows of its own, which follow
    int level = 0; ///< depth below its section
};

/// Rows under one heading: a comment banner of the recipe ("# Training parameters"), or the key of
/// an object. A class shows all its arguments, written or not.
struct FormSection {
    std::string title; ///< "" for what stands before the first banner
    std::vector<FormRow> rows;
};

std::vector<FormSection> formOf(const Document& document);

/// The row of a setting, also of an argument that is left out; none where there is none.
std::optional<FormRow> rowAt(const Document& document, const std::string& path);

/// The edits that give the setting at `path` the value `text` (YAML as typed into the form, quoted
/// where that is needed): the scalar alone is replaced, or one line is added under its mapping at
/// its indentation. Everything else stays byte for byte. `text` empty = take the line out again
/// (only where the argument has a default). The error says what the value must be.
Result<std::vector<recipe::Edit>> setValue(
    const Document& document, const std::string& path, const std::string& text);

} // namespace earwright::language
