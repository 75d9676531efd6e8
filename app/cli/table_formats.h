#pragma once

#include "core/base/names.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// A number by a pattern of printf, such as "%.2f".
std::string formatted(const char* pattern, double value);

/// How tables can be printed: text, markdown, csv, latex.
const Names& tableFormats();

/// A table under its first row, as one of tableFormats(): columns padded for a terminal, a table of
/// Markdown, CSV that a spreadsheet may open (base/sheet_text.h), or a tabular of LaTeX.
std::string tableAs(const std::string& format, const std::vector<std::vector<std::string>>& rows);

/// Lines below such a table: as they are, an item of a list each (Markdown), or a paragraph each.
/// CSV has no place for them: "".
std::string notesAs(const std::string& format, const std::vector<std::string>& notes);

} // namespace earwright::cli
