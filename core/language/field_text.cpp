#include "core/language/field_text.h"

#include "core/base/text.h"
#include "core/catalog/catalog.h"

#include <cmath>

namespace earwright::language {

using catalog::Field;
using catalog::FieldType;

std::string typeName(FieldType type)
{
    switch (type) {
    case FieldType::Int:
        return "int";
    case FieldType::Float:
        return "float";
    case FieldType::Bool:
        return "bool";
    case FieldType::String:
        return "string";
    case FieldType::IntList:
        return "list of ints";
    case FieldType::FloatList:
        return "list of floats";
    case FieldType::BoolList:
        return "list of bools";
    case FieldType::Shape:
        return "shape";
    case FieldType::Node:
        break;
    }
    return "any value";
}

std::string summary(const Field& field)
{
    std::string text = field.isTypeSure ? typeName(field.type) : "any value";
    if (field.facts.required)
        return text + ", required";
    return field.defaultText.empty() ? text : text + ", default " + field.defaultText;
}

std::string rangeText(const catalog::FieldFacts& facts)
{
    const bool hasMin = !std::isinf(facts.min);
    const bool hasMax = !std::isinf(facts.max);
    if (hasMin && hasMax)
        return formatNumber(facts.min) + " to " + formatNumber(facts.max);
    if (hasMin)
        return "at least " + formatNumber(facts.min);
    return hasMax ? "at most " + formatNumber(facts.max) : "";
}

std::string shortened(std::string_view text, size_t most)
{
    size_t end = 0;
    for (size_t count = 0; count < most && end < text.size(); ++count)
        end += codePointLength(text, end);
    return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

const Field* findArgument(std::string_view className, std::string_view argument)
{
    const catalog::ClassInfo* const info
        = className.empty() ? nullptr : catalog::findClass(className);
    if (!info)
        return nullptr;
    for (const Field& field : info->fields)
        if (field.name == argument)
            return &field;
    return nullptr;
}

} // namespace earwright::language
