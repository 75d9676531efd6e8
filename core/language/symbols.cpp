#include "core/language/symbols.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/language/field_text.h"
#include "core/language/mention.h"
#include "core/recipe/reference.h"

#include <algorithm>

namespace earwright::language {

using recipe::Kind;
using recipe::Node;
using recipe::Position;
using recipe::Span;

namespace {

constexpr size_t kMaxDetail = 60;

std::string detailOf(const Node& value)
{
    if (const auto name = catalog::classOf(value); !name.empty())
        return catalog::lastPart(name);
    const bool isReference = recipe::isReferenceTag(value.tag);
    const std::string tag = isReference || value.tag.empty() ? "" : value.tag + " ";
    std::string text(trim(tag + value.text));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return shortened(text, kMaxDetail);
}

Span extent(const WrittenKey& key)
{
    const recipe::Entry& entry = *key.entry;
    const Position end = isAlias(entry) ? entry.key->span.end : entry.value->span.end;
    return { entry.key->span.file, entry.key->span.begin, std::max(entry.key->span.end, end) };
}

/// The keys from `at` on that lie below `level`, as a tree.
std::vector<Symbol> symbolsFrom(
    const Document& document, const std::vector<WrittenKey>& keys, size_t& at, int level)
{
    std::vector<Symbol> symbols;
    while (at < keys.size() && keys[at].level >= level) {
        const WrittenKey& key = keys[at++];
        const auto name = fromTree(document, nameSpan(*key.entry->key));
        Symbol symbol { key.entry->key->text, detailOf(*key.entry->value), key.entry->value->tag,
            key.path, {}, {}, {} };
        symbol.children = symbolsFrom(document, keys, at, level + 1);
        if (!name) // its line was edited and does not parse
            continue;
        symbol.nameSpan = *name;
        symbol.span = fromTree(document, extent(key)).value_or(*name);
        symbols.push_back(std::move(symbol));
    }
    return symbols;
}

std::optional<Mention> mentionIn(const Document& document, Position at)
{
    const auto place = toTree(document, at);
    return place ? mentionAt(document, *place) : std::nullopt;
}

bool namesTheSame(const Mention& a, const Mention& b)
{
    if (a.target.entry && b.target.entry)
        return a.target.entry->key == b.target.entry->key;
    return a.anchor != 0 && a.anchor == b.anchor;
}

bool isInText(const Span& span)
{
    return span.begin.line > 0;
}

/// An override is no place in a text, though it carries the one it replaces.
bool isWritten(const recipe::Entry& entry)
{
    return entry.key->origin == recipe::Origin::Recipe
        || entry.key->origin == recipe::Origin::Include;
}

/// Lines and columns between a span and a place as one number to sort by.
long distance(const Span& span, Position at)
{
    constexpr long kLine = 10000;
    const long lines = std::max({ 0, span.begin.line - at.line, at.line - span.end.line });
    return lines * kLine + std::abs(span.begin.column - at.column);
}

bool touch(const Span& a, const Span& b)
{
    return a.begin <= b.end && b.begin <= a.end;
}

} // namespace

std::vector<Symbol> outline(const Document& document)
{
    const std::vector<WrittenKey> keys = writtenKeys(document);
    size_t at = 0;
    return symbolsFrom(document, keys, at, 0);
}

std::optional<Span> definition(const Document& document, Position at)
{
    const auto mention = mentionIn(document, at);
    if (!mention || !mention->target.entry || !isWritten(*mention->target.entry))
        return std::nullopt;
    const Span span = nameSpan(*mention->target.entry->key);
    return isInText(span) ? fromTree(document, span) : std::nullopt;
}

std::vector<Span> references(const Document& document, Position at)
{
    std::vector<Span> places;
    const auto mention = mentionIn(document, at);
    if (!mention || (!mention->target.entry && mention->anchor == 0))
        return places;
    if (const auto defined = definition(document, at))
        places.push_back(*defined);
    const recipe::SourceText source(document.treeText);
    std::vector<Mention> all = mentionsOf(document);
    for (const Mention& anchor : anchorsOf(document, source))
        if (anchor.kind == MentionKind::Alias || !anchor.target.entry)
            all.push_back(anchor);
    for (const Mention& other : all) {
        const auto span = fromTree(document, other.span);
        const bool isKnown = span && !places.empty() && places[0].begin == span->begin
            && places[0].file == span->file;
        if (span && !isKnown && namesTheSame(*mention, other))
            places.push_back(*span);
    }
    const auto first = places.begin() + (places.empty() || !definition(document, at) ? 0 : 1);
    std::sort(first, places.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return places;
}

std::vector<recipe::Fix> fixesAt(const Document& document, const Span& span)
{
    std::vector<const recipe::Diagnostic*> found;
    for (const recipe::Diagnostic& diagnostic : document.findings.diagnostics)
        if (diagnostic.fix && diagnostic.span.file == span.file && touch(diagnostic.span, span))
            found.push_back(&diagnostic);
    std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) {
        return distance(a->span, span.begin) < distance(b->span, span.begin);
    });
    std::vector<recipe::Fix> fixes;
    for (const recipe::Diagnostic* diagnostic : found)
        for (recipe::Fix& fix : recipe::fixesOf(*diagnostic))
            fixes.push_back(std::move(fix));
    return fixes;
}

} // namespace earwright::language
