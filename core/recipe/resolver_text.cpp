// References inside a text: "<a>/x", "<a> * 2 + 1".
#include "core/base/text.h"
#include "core/recipe/arithmetic.h"
#include "core/recipe/limits.h"
#include "core/recipe/python_text.h"
#include "core/recipe/resolved_node.h"
#include "core/recipe/resolver.h"

#include <algorithm>

namespace earwright::recipe {
namespace {

constexpr size_t kShownTextBytes = 80;

std::string shownText(const std::string& text)
{
    return text.size() <= kShownTextBytes ? inQuotes(text)
                                          : inQuotes(text.substr(0, kShownTextBytes)) + "…";
}

/// Of `!new:`, `!name:`, `!apply:`, `!applyref:` or `!module:`.
bool isObject(const Node& node)
{
    return node.tag.starts_with('!') && node.tag.find(':') != std::string::npos
        && !isIncludeTag(node.tag);
}

/// The node itself or the first object in it; null where it is made of plain values.
const Node* objectIn(const Node& node)
{
    if (isObject(node))
        return &node;
    for (const NodePtr& item : node.items) {
        if (const Node* const object = objectIn(*item))
            return object;
    }
    for (const Entry& entry : node.entries) {
        if (const Node* const object = objectIn(*entry.value))
            return object;
    }
    return nullptr;
}

} // namespace

NodePtr Resolver::resolveReference(const Node& node)
{
    if (node.kind != Kind::Scalar)
        return m_reporter.fail(node, "unknown-reference",
            node.tag + " takes one text such as '" + node.tag + " <key>'");
    std::vector<std::string> trail;
    return expand(node.text, node, trail);
}

/// A string a reference leads to is searched for references again, as upstream does. `trail`: the
/// texts that led here.
NodePtr Resolver::expand(const std::string& text, const Node& at, std::vector<std::string>& trail)
{
    if (!hasReference(text))
        return placedAt(stringNode(text), at);
    const auto before = std::find(trail.begin(), trail.end(), text);
    if (before != trail.end() || trail.size() > kMaxExpansions) {
        // A text that grows on its way never comes back as it was: its last two steps say enough.
        std::vector<std::string> way(before == trail.end() ? trail.end() - 2 : before, trail.end());
        way.push_back(text);
        return m_reporter.fail(at, "reference-cycle",
            shownText(at.text) + " leads back to itself: " + shownText(join(way, " -> ")));
    }
    trail.push_back(text);
    const std::vector<Piece> pieces = splitReferences(text);
    if (pieces.size() > 1)
        return interpolate(pieces, at, trail);
    const NodePtr found = target(text, at);
    const bool leadsOn = isUntaggedString(*found) && hasReference(found->text);
    return leadsOn ? expand(found->text, at, trail) : found;
}

/// Upstream replaces references in the order of the text. One to a reference further down finds
/// that as it was written and puts its text in: with `a: !ref <b> * 2` above `b: !ref <c> + 1`, a
/// is <c> + 1 * 2.
const Node* Resolver::textAhead(const std::string& bracketed, const Node& at)
{
    const Reference reference = readReference(bracketed);
    if (!m_putsTextsIn || !reference.attribute.empty() || at.tag == "!copy")
        return nullptr;
    NodePtr node = m_root;
    for (const std::string& key : reference.keys) {
        const Entry* const entry = stringEntry(node, key);
        if (!entry)
            return nullptr;
        node = entry->value;
    }
    return isReference(*node) && m_places.isAhead(*node, at) ? node.get() : nullptr;
}

/// False where the value is not known or too long, or has no text, which is then reported.
bool Resolver::appendPiece(const std::string& bracketed, const Node& at, std::string& text)
{
    const NodePtr found = target(bracketed, at);
    if (isUnknown(*found))
        return false;
    const Extent extent = m_session.meter.of(found);
    if (text.size() + extent.bytes + extent.nodes > kMaxTextBytes) {
        text.resize(kMaxTextBytes + 1);
        return true;
    }
    if (const Node* const object = objectIn(*found)) {
        m_reporter.reportObject(bracketed, *object, at);
        return false;
    }
    text += pythonText(*found);
    return true;
}

NodePtr Resolver::interpolate(
    const std::vector<Piece>& pieces, const Node& at, std::vector<std::string>& trail)
{
    std::string text;
    bool hasTextAhead = false;
    for (const Piece& piece : pieces) {
        const Node* const ahead = piece.isReference ? textAhead(piece.text, at) : nullptr;
        hasTextAhead = hasTextAhead || ahead;
        if (!piece.isReference || ahead)
            text += ahead ? ahead->text : piece.text;
        else if (!appendPiece(piece.text, at, text))
            return unknownValue(at);
        m_session.madeBytes += text.size();
        if (text.size() > kMaxTextBytes || m_session.madeBytes > kMaxBytes)
            return m_reporter.fail(at, "too-large", "the references make too long a text");
    }
    const bool isOutermost = trail.size() == 1;
    const NodePtr value = calculate(expand(text, at, trail), at);
    if (hasTextAhead && isOutermost)
        warnOfTextAhead(at, *value);
    return value;
}

void Resolver::warnOfTextAhead(const Node& at, const Node& value)
{
    if (isUnknown(value))
        return;
    m_putsTextsIn = false;
    const NodePtr other = resolveReference(at);
    m_putsTextsIn = true;
    if (isUnknown(*other) || pythonText(*other) == pythonText(value))
        return;
    m_reporter.report({ Severity::Warning, "forward-reference",
        shownText(at.text)
            + " refers to a reference further down, which upstream puts in as text: the value is "
            + shownText(pythonText(value)) + ", not " + shownText(pythonText(*other))
            + "; move what it refers to up to have that",
        at.span, std::nullopt });
}

NodePtr Resolver::calculate(const NodePtr& value, const Node& at)
{
    if (!isUntaggedString(*value) || value->text.size() > kMaxArithmeticBytes)
        return value;
    const auto result = evaluateArithmetic(value->text);
    if (!result)
        return value;
    if (!*result)
        return m_reporter.fail(
            at, "arithmetic", shownText(value->text) + ": " + result->error().message);
    return placedAt(nodeOf(**result), at);
}

} // namespace earwright::recipe
