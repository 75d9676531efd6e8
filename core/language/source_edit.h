#pragma once

#include "core/base/result.h"
#include "core/catalog/field.h"
#include "core/language/written.h"
#include "core/recipe/source.h"

#include <string>
#include <vector>

namespace earwright::language {

/// Bytes [begin, end) of a text.
struct Range {
    size_t begin = 0;
    size_t end = 0;
};

/// A value as it stands in the text, without its anchor; of an alias the "*name".
Range rangeOf(const WrittenValue& value, const recipe::SourceText& source);
std::string textOf(const WrittenValue& value, const recipe::SourceText& source);

/// Written with brackets or braces.
bool isFlow(const recipe::Node& node, const recipe::SourceText& source);

/// Edits of one value. They keep every other byte; whether the text then still parses as it should
/// is the caller's to see.
recipe::Edit replacement(
    const WrittenValue& value, const recipe::SourceText& source, const std::string& text);

/// What may add "key: text" to a mapping or to a class without arguments, the likeliest first.
/// `indent` is what nested keys are indented by.
std::vector<recipe::Edit> additions(const WrittenValue& owner, const recipe::SourceText& source,
    const std::string& line, size_t indent);

/// Takes a key out with its value; none where the place does not allow it (behind a list's dash).
std::optional<recipe::Edit> removal(const WrittenValue& value, const recipe::SourceText& source);

} // namespace earwright::language
