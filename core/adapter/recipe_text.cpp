#include "core/adapter/recipe_text.h"

#include "core/adapter/overrides.h"
#include "core/base/text.h"
#include "core/recipe/resolve.h"

#include <filesystem>

namespace earwright::adapter {

using recipe::Entry;

recipe::NodePtr emptyMapping()
{
    const recipe::NodePtr node = std::make_shared<recipe::Node>();
    node->kind = recipe::Kind::Mapping;
    return node;
}

RecipeText::RecipeText(Toolkit toolkit, const std::string& fileName)
    : m_file(std::filesystem::path(fileName).filename().string())
{
    m_converted.text = "# Written by 'earwright convert' from " + m_file + ", a configuration of "
        + nameOf(toolkit) + ".\n";
}

void RecipeText::put(
    const std::string& key, const recipe::NodePtr& value, const std::string& comment)
{
    if (!m_written.insert(key).second)
        return;
    recipe::Node one;
    one.kind = recipe::Kind::Mapping;
    one.entries = { { recipe::makeScalar(key), value } };
    std::string text = recipe::emitYaml(one);
    while (text.ends_with('\n'))
        text.pop_back();
    m_converted.text += "\n" + (comment.empty() ? "" : "# " + comment + "\n") + text + "\n";
}

bool RecipeText::refersTo(const std::string& key) const
{
    return m_converted.text.find("!ref <" + key + ">") != std::string::npos;
}

std::string RecipeText::placeOf(const Entry& entry) const
{
    if (const std::string typed = overrideOf(entry); !typed.empty())
        return typed;
    const recipe::Span& span = entry.key->span;
    return span.begin.line > 0 || span.file.empty()
        ? m_file + ":" + std::to_string(span.begin.line)
        : std::filesystem::path(span.file).filename().string();
}

void RecipeText::warn(const Entry& entry, std::string message)
{
    m_converted.diagnostics.push_back({ recipe::Severity::Warning, "not-converted",
        std::move(message), entry.key->span, std::nullopt, {} });
}

void RecipeText::leaveOut(const Entry& entry, std::string message)
{
    const std::string typed = overrideOf(entry);
    warn(entry, (typed.empty() ? "" : inQuotes(typed) + ": ") + message);
    if (entry.key->origin >= recipe::Origin::Override)
        m_converted.diagnostics.back().span
            = { entry.key->span.file, {}, {} }; // nowhere in the file
}

void RecipeText::refuse(const Entry& entry, std::string message)
{
    if (overrideOf(entry).empty())
        leaveOut(entry, std::move(message));
    else
        fail(entry, std::move(message));
}

void RecipeText::fail(const Entry& entry, std::string message)
{
    leaveOut(entry, std::move(message));
    m_converted.diagnostics.back().severity = recipe::Severity::Error;
}

} // namespace earwright::adapter
