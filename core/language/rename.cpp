#include "core/base/text.h"
#include "core/language/mention.h"
#include "core/language/same.h"
#include "core/language/symbols.h"
#include "core/recipe/resolve.h"

namespace earwright::language {

using recipe::Edit;
using recipe::Position;

namespace {

bool isPlainKey(const std::string& name)
{
    constexpr std::string_view kNever = " \t\r\n<>[]{}.,:#&*!|'\"%@`?";
    const auto node = recipe::makeScalar(name);
    return recipe::scalarType(*node) == recipe::ScalarType::String
        && name.find_first_of(kNever) == std::string::npos && !name.starts_with('-')
        && !name.starts_with('(') && !name.starts_with('=');
}

bool isAnchorName(const std::string& name)
{
    return !name.empty() && name.find_first_of(" \t\r\n,[]{}&*:#<>\"'") == std::string::npos;
}

std::optional<Error> refusal(
    const Document& document, const Mention& mention, const std::string& newName)
{
    if (!isPlainKey(newName))
        return Error { inQuotes(newName) + " cannot be a key: use letters, digits, '_' and '-'" };
    const recipe::Node& key = *mention.target.entry->key;
    if (key.origin != recipe::Origin::Recipe)
        return Error { inQuotes(mention.name) + " stands in '" + key.span.file
            + "'; rename it there" };
    for (const WrittenKey& written : writtenKeys(document)) {
        if (written.entry->key.get() == &key && written.isInInclude)
            return Error { inQuotes(mention.name)
                + " is read by the included file; rename it there first" };
        if (written.entry->key->text != newName)
            continue;
        for (const recipe::Entry& sibling : written.mapping->entries)
            if (sibling.key.get() == &key)
                return Error { inQuotes(newName) + " is already there, in line "
                    + std::to_string(written.entry->key->span.begin.line) };
    }
    return std::nullopt;
}

std::vector<Edit> editsOf(
    const std::vector<Mention>& mentions, const Mention& mention, const std::string& newName)
{
    const bool isAnchor = mention.kind == MentionKind::Alias || mention.kind == MentionKind::Anchor;
    std::vector<Edit> edits;
    for (const Mention& other : mentions) {
        const bool isSame = isAnchor
            ? other.anchor == mention.anchor
            : other.target.entry && other.target.entry->key == mention.target.entry->key;
        const bool isDouble = !edits.empty() && edits.back().span.begin == other.span.begin;
        if (isSame && !isDouble)
            edits.push_back({ other.span, newName });
    }
    return edits;
}

recipe::NodePtr resolved(const check::Request& request, const std::string& text)
{
    recipe::ResolveOptions options;
    options.keepPlaceholders = true;
    return recipe::resolve(text, request.fileName, {}, options).root;
}

/// What a reference or a merge may make of the new name cannot be told from the places alone: the
/// recipe is resolved before and after, and must be the same.
bool meansTheSame(const Document& document, const std::vector<Edit>& edits, const Renamed& renamed)
{
    const std::string after = recipe::applyFix(document.request.text, { "", edits });
    const auto before = resolved(document.request, document.request.text);
    const auto now = resolved(document.request, after);
    return before && now && isSame(*before, *now, { .renamed = renamed });
}

} // namespace

Result<std::vector<Edit>> rename(const Document& document, Position at, const std::string& newName)
{
    if (!document.isCurrent)
        return Error { "the recipe does not parse; mend its first error, then rename" };
    const auto mention = mentionAt(document, at);
    if (!mention || (!mention->target.entry && mention->anchor == 0))
        return Error { "there is no key here to rename" };
    if (mention->kind == MentionKind::Alias || mention->kind == MentionKind::Anchor) {
        if (!isAnchorName(newName))
            return Error { inQuotes(newName) + " cannot be the name of an anchor" };
        const recipe::SourceText source(document.treeText);
        const auto anchors = anchorsOf(document, source);
        for (const Mention& other : anchors)
            if (other.name == newName && newName != mention->name)
                return Error { "an anchor is already called " + inQuotes(newName) };
        return editsOf(anchors, *mention, newName);
    }
    if (newName == mention->name)
        return std::vector<Edit> {};
    if (auto refused = refusal(document, *mention, newName))
        return *refused;
    auto edits = editsOf(mentionsOf(document), *mention, newName);
    if (!meansTheSame(document, edits, { mention->name, newName }))
        return Error { "renaming " + inQuotes(mention->name) + " to " + inQuotes(newName)
            + " would change more than the name: a merge or a text built from references uses it" };
    return edits;
}

} // namespace earwright::language
