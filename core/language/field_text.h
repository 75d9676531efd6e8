#pragma once

#include "core/catalog/field.h"

#include <string>
#include <string_view>

namespace earwright::language {

std::string typeName(catalog::FieldType type); ///< "float", "list of ints"
/// "float, default 0.01", "int, required".
std::string summary(const catalog::Field& field);
/// "0.1 to 20", "at least 0"; "" without bounds.
std::string rangeText(const catalog::FieldFacts& facts);

/// The first `most` code points of a UTF-8 text, and "…" where there are more.
std::string shortened(std::string_view text, size_t most);

/// The argument of a class by its name, null where the class or the argument is not known.
const catalog::Field* findArgument(std::string_view className, std::string_view argument);

} // namespace earwright::language
