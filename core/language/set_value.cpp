#include "core/base/text.h"
#include "core/language/field_text.h"
#include "core/language/form.h"
#include "core/language/slot.h"
#include "core/language/source_edit.h"
#include "core/recipe/scalar_text.h"
#include "core/settings/tree.h"
#include "core/tasks/run_option_fields.h"

#include <algorithm>

namespace earwright::language {

using catalog::Field;
using catalog::FieldType;
using recipe::Edit;
using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;
using recipe::SourceText;

namespace {

std::string typeWords(const Field& field)
{
    switch (field.type) {
    case FieldType::Int:
        return "a whole number";
    case FieldType::Float:
        return "a number";
    case FieldType::Bool:
        return "True or False";
    case FieldType::String:
        return field.facts.choices.empty() ? "a text" : "one of " + join(field.facts.choices, ", ");
    default:
        return "a " + typeName(field.type);
    }
}

Error mustBe(const Field& field, const std::string& text)
{
    const std::string range = rangeText(field.facts);
    return Error { inQuotes(field.name) + " must be " + typeWords(field)
        + (range.empty() ? "" : ", " + range) + (field.nullable ? ", or null" : "") + ", not "
        + (text.empty() ? "nothing" : text) };
}

bool isInRange(const Field& field, std::optional<double> value)
{
    return value && *value >= field.facts.min && *value <= field.facts.max;
}

bool isOfType(const Field& field, const Node& node)
{
    const auto& choices = field.facts.choices;
    switch (field.type) {
    case FieldType::Int:
        return recipe::asInt(node) && isInRange(field, recipe::asDouble(node));
    case FieldType::Float:
        return isInRange(field, recipe::asDouble(node));
    case FieldType::Bool:
        return recipe::asBool(node).has_value();
    case FieldType::String:
        return node.kind == Kind::Scalar && recipe::scalarType(node) == recipe::ScalarType::String
            && (choices.empty()
                || std::find(choices.begin(), choices.end(), node.text) != choices.end());
    default:
        return true;
    }
}

/// A reference and an object are whatever they are.
bool accepts(const Field& field, const Node& node)
{
    return !node.tag.empty() || !field.isTypeSure || (field.nullable && recipe::isNull(node))
        || isOfType(field, node);
}

bool hasSettings(const Slot& slot, const SourceText& source)
{
    const WrittenValue& value = *slot.value;
    if (value.entry && isAlias(*value.entry))
        return false;
    const Node& node = *value.node;
    return node.kind == Kind::Mapping || (node.kind == Kind::Sequence && !isFlow(node, source));
}

/// As typed, and quoted where a text may be meant.
std::vector<std::string> spellings(const Slot& slot, const std::string& text)
{
    std::vector<std::string> ways { text };
    const bool isOpen = !slot.field || !slot.field->isTypeSure;
    if (isOpen || slot.field->type == FieldType::String) {
        const NodePtr quoted = recipe::makeScalar(text);
        quoted->style = recipe::ScalarStyle::Quoted;
        ways.push_back(recipe::scalarYaml(*quoted, true));
    }
    return ways;
}

/// What nested keys are indented by in this recipe.
size_t indentOf(const Document& document)
{
    constexpr size_t kUsual = 4;
    int parent = 1;
    for (const WrittenKey& key : writtenKeys(document)) {
        const int column = key.entry->key->span.begin.column;
        if (key.level == 1 && column > parent && key.mapping->span.begin.line > 0)
            return static_cast<size_t>(column - parent);
        parent = key.level == 0 ? column : parent;
    }
    return kUsual;
}

std::vector<Edit> waysToWrite(
    const Document& document, const SourceText& source, const Slot& slot, const std::string& text)
{
    if (slot.value)
        return { replacement(*slot.value, source, text) };
    return additions(*slot.owner, source, slot.key + ": " + text, indentOf(document));
}

Result<std::vector<Edit>> write(const Document& document, const Slot& slot, const std::string& text)
{
    const SourceText source(document.treeText);
    bool isWrongType = false;
    for (const std::string& spelling : spellings(slot, text)) {
        for (const Edit& edit : waysToWrite(document, source, slot, spelling)) {
            const Edited edited(document, edit);
            const Node* const node = edited.accepted(slot, spelling);
            if (node && (!slot.field || accepts(*slot.field, *node)))
                return std::vector { edit };
            isWrongType = isWrongType || node;
        }
    }
    if (slot.field)
        return mustBe(*slot.field, text);
    return Error { inQuotes(text) + " cannot be written here: " + inQuotes(slot.path)
        + (isWrongType ? " takes another type" : " would not read as one value") };
}

/// `!name:` leaves to its caller what it does not say.
bool canBeLeftOut(const Slot& slot)
{
    return slot.field
        && (!slot.field->facts.required || !recipe::nameClass(*slot.owner->node).empty());
}

Result<std::vector<Edit>> takeOut(const Document& document, const Slot& slot)
{
    if (!slot.value)
        return std::vector<Edit> {}; // it is left out already
    const auto edit = removal(*slot.value, SourceText(document.treeText));
    if (!edit)
        return Error { inQuotes(slot.path) + " cannot be taken out here; edit the text" };
    const Edited edited(document, *edit);
    if (!canBeLeftOut(slot) && !edited.isMerged(slot))
        return Error { inQuotes(slot.path) + " has no default; it cannot be left out" };
    if (!edited.isWithout(slot))
        return Error { inQuotes(slot.path) + " cannot be taken out here; edit the text" };
    return std::vector { *edit };
}

/// What must not be added where it is not written.
std::optional<Error> unknownSetting(const Slot& slot)
{
    const Error unknown { "there is no setting " + inQuotes(slot.path) };
    if (slot.value)
        return std::nullopt;
    if (!slot.owner || slot.key.empty() || slot.key.find_first_of("[]") != std::string::npos)
        return unknown;
    const bool isClass = !catalog::classOf(*slot.owner->node).empty();
    const bool isMapping = slot.owner->node->kind == Kind::Mapping;
    if (slot.field || entryOf(slot)) // an argument, an option, or a merged key to set anew
        return isClass || isMapping ? std::nullopt : std::optional(unknown);
    return unknown;
}

} // namespace

Result<std::vector<Edit>> setValue(
    const Document& document, const std::string& path, const std::string& text)
{
    if (!document.isCurrent || !document.tree)
        return Error { "the recipe does not parse; mend its first error in the text" };
    const Slot slot = slotOf(document, path);
    if (auto unknown = unknownSetting(slot))
        return *unknown;
    const std::string typed(trim(text));
    if (slot.value && hasSettings(slot, SourceText(document.treeText)))
        return Error { inQuotes(path) + " has settings of its own; change those" };
    return typed.empty() ? takeOut(document, slot) : write(document, slot, typed);
}

} // namespace earwright::language
