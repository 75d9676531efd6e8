#include "core/recipe/resolve_reporter.h"

#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/recipe/limits.h"
#include "core/recipe/override_hint.h"
#include "core/recipe/reference.h"
#include "core/recipe/resolved_node.h"
#include "core/recipe/tag.h"

#include <algorithm>
#include <utility>

namespace earwright::recipe {
namespace {

std::string placeText(const Span& span)
{
    return span.file + ":" + std::to_string(span.begin.line) + ":"
        + std::to_string(span.begin.column);
}

/// "list[1].b" is set by --list.1.b
std::string optionOf(std::string_view path)
{
    std::string option;
    for (const char c : path) {
        if (c != ']')
            option += c == '[' ? '.' : c;
    }
    return option;
}

} // namespace

ResolveReporter::ResolveReporter(
    Session& session, const NodePlaces& places, NodePtr root, std::string_view source)
    : m_session(session)
    , m_places(places)
    , m_root(std::move(root))
    , m_source(source)
{
}

void ResolveReporter::reportPlaceholder(const Node& node)
{
    const std::string path = m_places.pathOf(&node);
    if (m_session.refusedTags.contains(placeText(node.span) + path))
        return; // a body's values are in the included file's tree too
    if (node.origin >= Origin::Override) {
        fail(node, "placeholder",
            inQuotes(node.originText) + " gives " + inQuotes(path)
                + " no value; write one in place of !PLACEHOLDER");
        return;
    }
    fail(node, "placeholder",
        "'" + path + "' has no value yet; --" + optionOf(path) + "=value sets it");
}

/// The value is not known then.
void ResolveReporter::refuseTag(Node& node)
{
    const auto fault = faultOfTag(node);
    if (!fault)
        return;
    const bool isOverride = node.origin >= Origin::Override;
    Diagnostic diagnostic { Severity::Error, "unknown-tag",
        (isOverride ? inQuotes(node.originText) + ": " : "") + fault->message, node.span,
        std::nullopt };
    if (const auto place = tagInSource(node)) {
        diagnostic.span = *place;
        Span replaced = *place;
        const size_t behind = m_source.offset(place->end);
        const std::string_view rest
            = m_source.text().substr(behind, m_source.offset(node.span.end) - behind);
        if (fault->takesText)
            replaced.end = node.span.end;
        // An anchor between them would be lost.
        if (!fault->instead.empty() && (!fault->takesText || trim(rest) == node.text))
            diagnostic.fix
                = Fix { "Change to " + fault->instead, { { replaced, fault->instead } } };
    }
    m_session.refusedTags.insert(placeText(node.span) + m_places.pathOf(&node));
    node.tag = "!PLACEHOLDER";
    report(std::move(diagnostic));
}

/// None where it stands in another text than the file's: an override, the body of an !include.
std::optional<Span> ResolveReporter::tagInSource(const Node& node) const
{
    if (node.origin > Origin::Include || node.span.file != m_root->span.file)
        return std::nullopt;
    const std::string_view text = m_source.text();
    const size_t begin = m_source.offset(node.span.begin);
    const size_t at = text.find(node.tag, begin);
    const bool isThere
        = at != std::string_view::npos && at + node.tag.size() <= skipProperties(text, begin).end;
    return isThere ? std::optional(m_source.span(node.span.file, at, at + node.tag.size()))
                   : std::nullopt;
}

/// An object has no text before Python builds it: upstream spells out its arguments instead.
void ResolveReporter::reportObject(const std::string& bracketed, const Node& object, const Node& at)
{
    const bool isCall = object.tag.starts_with("!apply");
    const std::string path = m_places.pathOf(&at);
    fail(at, "object-in-text",
        "only Python knows the text of " + inQuotes(bracketed)
            + (isCall ? ", a result of " : ", made of ")
            + object.tag.substr(object.tag.find(':') + 1) + "; write the text itself"
            + (path.empty() ? "" : ", or --" + optionOf(path) + "=value"));
}

NodePtr ResolveReporter::failCycle(const std::string& bracketed, const Node* found, const Node& at,
    const std::vector<const Node*>& open)
{
    std::string way = m_places.pathOf(found);
    const auto first = std::find(open.begin(), open.end(), found);
    for (auto node = first + 1; node < open.end(); ++node) {
        if (isReferenceTag((*node)->tag))
            way += " -> " + m_places.pathOf(*node);
    }
    return fail(at, "reference-cycle",
        "'" + bracketed + "' leads back to itself: " + way + " -> " + m_places.pathOf(found));
}

NodePtr ResolveReporter::fail(const Node& at, std::string rule, std::string message)
{
    report({ Severity::Error, std::move(rule), std::move(message), at.span, std::nullopt });
    return unknownValue(at);
}

void ResolveReporter::report(Diagnostic diagnostic)
{
    std::vector<Diagnostic>& diagnostics = m_session.diagnostics;
    if (diagnostics.size() > kMaxDiagnostics)
        return;
    if (diagnostics.size() == kMaxDiagnostics) {
        diagnostic.message
            = "there are more errors; the first " + std::to_string(kMaxDiagnostics) + " are listed";
        diagnostic.rule = "too-large";
    }
    std::string places;
    for (const Span& place : m_session.includePlaces)
        places = placeText(place) + (places.empty() ? "" : ", ") + places;
    if (!places.empty())
        diagnostic.message += " (included at " + places + ")";
    diagnostics.push_back(std::move(diagnostic));
}

void ResolveReporter::reportUnknown(
    const std::string& bracketed, const std::string& key, const Node& mapping, const Node& at)
{
    if (m_session.diagnostics.size() >= kMaxDiagnostics) {
        fail(at, "unknown-reference", "");
        return;
    }
    m_session.comparedNames += mapping.entries.size();
    std::vector<std::string> names;
    if (m_session.comparedNames <= kMaxComparedNames)
        for (const Entry& entry : mapping.entries)
            names.push_back(entry.key->text);
    std::string near = nearestName(key, names);
    for (const std::string& name : names)
        near = lookAlikeIn(key, name).empty() && lookAlikeIn(name, key).empty() ? near : name;
    std::string message = "no value for '" + bracketed + "'";
    if (mapping.kind != Kind::Mapping)
        message += ": '" + key + "' would be inside of what has no keys";
    else if (near.empty())
        message += ": there is no key '" + key + "'";
    else
        message += suggestion(key, { near });
    fail(at, "unknown-reference", std::move(message));
    // What the body of an !include refers to stands in another file.
    const bool isInKey = !lookAlikeIn(near, key).empty();
    if (near.empty() || isInKey || at.origin > Origin::Include || at.span.file != m_root->span.file)
        return;
    const auto edits = renameInSource(at, m_source, key, near);
    if (edits.empty())
        return;
    Diagnostic& diagnostic = m_session.diagnostics.back();
    diagnostic.span = edits.front().span;
    diagnostic.fix = Fix { "Replace '" + key + "' by '" + near + "'", edits };
}

} // namespace earwright::recipe
