#include "core/language/form.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/language/banner.h"
#include "core/language/field_text.h"
#include "core/language/source_edit.h"
#include "core/recipe/python_text.h"
#include "core/recipe/reference.h"
#include "core/tasks/run_option_fields.h"

#include <algorithm>
#include <map>

namespace earwright::language {

using catalog::Field;
using catalog::FieldType;
using recipe::Entry;
using recipe::Kind;
using recipe::Node;
using recipe::SourceText;

namespace {

FieldType typeOf(const Node& value)
{
    if (value.kind != Kind::Scalar || !value.tag.empty())
        return FieldType::Node;
    switch (recipe::scalarType(value)) {
    case recipe::ScalarType::Int:
        return FieldType::Int;
    case recipe::ScalarType::Float:
        return FieldType::Float;
    case recipe::ScalarType::Bool:
        return FieldType::Bool;
    case recipe::ScalarType::String:
        return FieldType::String;
    case recipe::ScalarType::Null:
        break;
    }
    return FieldType::Node;
}

const catalog::ClassInfo* classInfoOf(const Node& node)
{
    const auto name = catalog::classOf(node);
    return name.empty() ? nullptr : catalog::findClass(name);
}

std::string shownValue(const Node& value)
{
    return catalog::classOf(value).empty() && value.tag != "!PLACEHOLDER"
        ? recipe::pythonText(value)
        : value.tag;
}

class Form final {
public:
    explicit Form(const Document& document)
        : m_document(document)
        , m_source(document.treeText)
    {
    }

    std::vector<FormSection> sections()
    {
        const std::vector<Banner> banners = bannersOf(m_source.text());
        auto banner = banners.begin();
        m_sections.push_back({});
        size_t current = 0;
        for (const Entry& entry : m_document.tree->entries) {
            const int line = entry.key->span.begin.line;
            for (; banner != banners.end() && banner->line < line; ++banner) {
                m_sections.push_back({ banner->title, {} });
                current = m_sections.size() - 1;
            }
            const WrittenValue value = written(*m_document.tree, entry, resolvedRoot());
            if (hasRows(value)) {
                m_sections.push_back({ entry.key->text, {} });
                addBelow(value, entry.key->text, 0, m_sections.back().rows);
            } else {
                addKey({ value, nullptr, entry.key->text, entry.key->text, 0 },
                    m_sections[current].rows);
            }
        }
        std::erase_if(m_sections, [](const FormSection& section) { return section.rows.empty(); });
        return std::move(m_sections);
    }

private:
    /// One setting on its way to become a row.
    struct Setting {
        WrittenValue value;
        const Field* field; ///< null where nobody knows
        std::string path;
        std::string label;
        int level;
    };

    const Node* resolvedRoot() const { return m_document.findings.recipe.get(); }

    static WrittenValue written(const Node& mapping, const Entry& entry, const Node* resolved)
    {
        // Resolving keeps the order, so that the search is rarely one.
        const auto index = static_cast<size_t>(&entry - mapping.entries.data());
        if (resolved && index < resolved->entries.size()
            && resolved->entries[index].key->text == entry.key->text)
            return { entry.value.get(), &mapping, &entry, resolved->entries[index].value.get() };
        const recipe::NodePtr value = resolved ? recipe::find(*resolved, entry.key->text) : nullptr;
        return { entry.value.get(), &mapping, &entry, value.get() };
    }

    static bool isAliased(const WrittenValue& value)
    {
        return value.entry && value.parent && isAlias(*value.entry);
    }

    static bool isMerged(const WrittenValue& value)
    {
        return value.entry && value.parent && isInherited(*value.parent, *value.entry);
    }

    /// It has settings of its own to show.
    bool hasRows(const WrittenValue& value) const
    {
        const Node& node = *value.node;
        if (isAliased(value) || isMerged(value))
            return false;
        if (node.kind == Kind::Mapping)
            return !node.entries.empty() || classInfoOf(node);
        const auto* const info = classInfoOf(node);
        if (node.kind == Kind::Sequence)
            return info || !isFlow(node, m_source);
        return info && !info->fields.empty();
    }

    void addKey(const Setting& setting, std::vector<FormRow>& rows)
    {
        const Node& node = *setting.value.node;
        FormRow row = rowOf(setting);
        const bool isBelow = hasRows(setting.value);
        const bool isMergedMapping = isMerged(setting.value) && node.kind == Kind::Mapping;
        row.isEditable = (!isBelow && !isMergedMapping) || node.kind == Kind::Scalar;
        if (!row.isEditable)
            row.text = node.tag;
        rows.push_back(std::move(row));
        if (isBelow)
            addBelow(setting.value, setting.path, setting.level + 1, rows);
    }

    FormRow rowOf(const Setting& setting) const
    {
        const Node& node = *setting.value.node;
        FormRow row;
        row.path = setting.path;
        row.label = setting.label;
        row.field = setting.field ? *setting.field : inferred(setting);
        row.level = setting.level;
        row.text = textOf(setting.value, m_source);
        row.value = shownValue(setting.value.resolved ? *setting.value.resolved : node);
        row.isWritten = !isMerged(setting.value);
        row.isReference = recipe::isReferenceTag(node.tag) || isAliased(setting.value);
        return row;
    }

    static Field inferred(const Setting& setting)
    {
        const bool isOption
            = setting.path == setting.label || setting.path.starts_with("train_conf.");
        if (const Field* option = isOption ? tasks::findRunOption(setting.label) : nullptr)
            return *option;
        const Node* const value
            = setting.value.resolved ? setting.value.resolved : setting.value.node;
        Field field;
        field.name = setting.label;
        field.type = typeOf(*value);
        return field;
    }

    static FormRow defaultRow(const Field& field, const std::string& path, int level)
    {
        FormRow row;
        row.path = path;
        row.label = field.name;
        row.field = field;
        row.text = field.defaultText;
        row.value = field.defaultText;
        row.level = level;
        return row;
    }

    void addBelow(
        const WrittenValue& value, const std::string& path, int level, std::vector<FormRow>& rows)
    {
        const auto* const info = classInfoOf(*value.node);
        if (value.node->kind == Kind::Sequence)
            return addItems(value, info, path, level, rows);
        std::map<std::string_view, const Entry*> entries;
        for (const Entry& entry : value.node->entries)
            entries.emplace(entry.key->text, &entry);
        const auto add = [&](const Entry& entry, const Field* field) {
            const std::string& key = entry.key->text;
            addKey({ written(*value.node, entry, value.resolved), field, path + "." + key, key,
                       level },
                rows);
        };
        for (const Field& field : info ? info->fields : std::vector<Field> {}) {
            const auto entry = entries.find(field.name);
            if (entry != entries.end())
                add(*entry->second, &field);
            else
                rows.push_back(defaultRow(field, path + "." + field.name, level));
        }
        for (const Entry& entry : value.node->entries)
            if (!info || !findArgument(info->name, entry.key->text))
                add(entry, nullptr);
    }

    void addItems(const WrittenValue& value, const catalog::ClassInfo* info,
        const std::string& path, int level, std::vector<FormRow>& rows)
    {
        const Node* const resolved = value.resolved;
        for (size_t i = 0; i < value.node->items.size(); ++i) {
            const std::string index = "[" + std::to_string(i) + "]";
            const Field* const field = info && i < info->fields.size() ? &info->fields[i] : nullptr;
            const Node* const same
                = resolved && i < resolved->items.size() ? resolved->items[i].get() : nullptr;
            const WrittenValue item { value.node->items[i].get(), value.node, nullptr, same };
            // An item that stands before its list is an alias: its place is not known.
            if (item.node->span.begin >= value.node->span.begin)
                addKey({ item, field, path + index, field ? field->name : index, level }, rows);
        }
    }

    const Document& m_document;
    const SourceText m_source;
    std::vector<FormSection> m_sections;
};

} // namespace

std::vector<FormSection> formOf(const Document& document)
{
    return document.tree ? Form(document).sections() : std::vector<FormSection> {};
}

std::optional<FormRow> rowAt(const Document& document, const std::string& path)
{
    for (FormSection& section : formOf(document))
        for (FormRow& row : section.rows)
            if (row.path == path)
                return std::move(row);
    return std::nullopt;
}

} // namespace earwright::language
