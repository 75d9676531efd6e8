#include "core/language/source_edit.h"

#include "core/base/text.h"

#include <algorithm>

namespace earwright::language {

using recipe::Edit;
using recipe::Entry;
using recipe::Node;
using recipe::SourceText;

namespace {

constexpr std::string_view kSpace = " \t\r\n";

size_t skipSpace(std::string_view text, size_t at)
{
    return std::min(text.find_first_not_of(kSpace, at), text.size());
}

Edit editOf(const Node& node, const SourceText& source, Range range, std::string text)
{
    return { source.span(node.span.file, range.begin, range.end), std::move(text) };
}

/// "*name" behind the key's colon.
Range aliasRange(const Entry& entry, const SourceText& source)
{
    const std::string_view text = source.text();
    const size_t colon = text.find(':', source.offset(entry.key->span.end));
    const size_t begin = skipSpace(text, std::min(colon, text.size() - 1) + 1);
    return { begin, std::min(text.find_first_of(" \t\r\n,]}", begin), text.size()) };
}

size_t endOf(const Entry& entry, const SourceText& source)
{
    return isAlias(entry) ? aliasRange(entry, source).end : source.offset(entry.value->span.end);
}

std::vector<const Entry*> ownEntries(const Node& mapping)
{
    std::vector<const Entry*> own;
    for (const Entry& entry : mapping.entries)
        if (!isInherited(mapping, entry))
            own.push_back(&entry);
    return own;
}

size_t lineEnd(std::string_view text, size_t at)
{
    return std::min(text.find('\n', at), text.size());
}

size_t lineBegin(std::string_view text, size_t at)
{
    const size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

/// A line of its own behind the line that holds `at`.
Edit newLine(const Node& node, const SourceText& source, size_t at, const std::string& line)
{
    const std::string_view text = source.text();
    const size_t end = lineEnd(text, at);
    const bool isWindows = end > 0 && end < text.size() && text[end - 1] == '\r';
    const std::string stop = isWindows ? "\r\n" : "\n";
    if (end == text.size()) // the file ends without a line break
        return editOf(node, source, { end, end }, stop + line);
    return editOf(node, source, { end + 1, end + 1 }, line + stop);
}

Edit additionInBraces(const Node& mapping, const SourceText& source, const std::string& line)
{
    const auto own = ownEntries(mapping);
    if (!own.empty()) {
        const size_t at = endOf(*own.back(), source);
        return editOf(mapping, source, { at, at }, ", " + line);
    }
    const size_t open
        = recipe::skipProperties(source.text(), source.offset(mapping.span.begin)).content;
    return editOf(mapping, source, { open + 1, open + 1 }, line);
}

/// Behind the last entry of a block mapping; where merges are all it has, behind the last of them.
Edit additionInBlock(const Node& mapping, const SourceText& source, const std::string& line)
{
    const auto own = ownEntries(mapping);
    size_t end = source.offset(mapping.span.end);
    size_t column = 0;
    if (!own.empty()) {
        column = static_cast<size_t>(own.front()->key->span.begin.column) - 1;
        size_t last = 0; // merged entries may stand behind the last own one
        for (const Entry* entry : own)
            last = std::max(last, endOf(*entry, source));
        end = last;
    } else {
        const size_t merge = source.text().find("<<", source.offset(mapping.span.begin));
        column = merge - lineBegin(source.text(), merge);
    }
    return newLine(mapping, source, end, std::string(column, ' ') + line);
}

Edit removalInBraces(const Entry& entry, const Node& mapping, const SourceText& source)
{
    const auto own = ownEntries(mapping);
    const auto here = std::find(own.begin(), own.end(), &entry);
    const size_t begin = source.offset(entry.key->span.begin);
    const size_t end = endOf(entry, source);
    if (here != own.begin())
        return editOf(mapping, source, { endOf(**(here - 1), source), end }, "");
    if (here + 1 != own.end())
        return editOf(
            mapping, source, { begin, source.offset((*(here + 1))->key->span.begin) }, "");
    return editOf(mapping, source, { begin, end }, "");
}

} // namespace

Range rangeOf(const WrittenValue& value, const SourceText& source)
{
    if (value.entry && isAlias(*value.entry))
        return aliasRange(*value.entry, source);
    const std::string_view text = source.text();
    Range range { source.offset(value.node->span.begin), source.offset(value.node->span.end) };
    if (range.begin < range.end && text[range.begin] == '&')
        range.begin = std::min(skipSpace(text, text.find_first_of(kSpace, range.begin)), range.end);
    while (range.end > range.begin && kSpace.find(text[range.end - 1]) != std::string_view::npos)
        --range.end;
    return range;
}

std::string textOf(const WrittenValue& value, const SourceText& source)
{
    const Range range = rangeOf(value, source);
    return std::string(source.text().substr(range.begin, range.end - range.begin));
}

bool isFlow(const Node& node, const SourceText& source)
{
    if (node.kind == recipe::Kind::Scalar)
        return false;
    const size_t content
        = recipe::skipProperties(source.text(), source.offset(node.span.begin)).content;
    return content < source.text().size()
        && (source.text()[content] == '{' || source.text()[content] == '[');
}

Edit replacement(const WrittenValue& value, const SourceText& source, const std::string& text)
{
    const Range range = rangeOf(value, source);
    const bool isBehindColon = range.begin == range.end && range.begin > 0
        && (source.text()[range.begin - 1] == ':' || source.text()[range.begin - 1] == '-');
    return editOf(*value.node, source, range, (isBehindColon ? " " : "") + text);
}

std::vector<Edit> additions(
    const WrittenValue& owner, const SourceText& source, const std::string& line, size_t indent)
{
    const Node& node = *owner.node;
    if (node.kind == recipe::Kind::Mapping)
        return { isFlow(node, source) ? additionInBraces(node, source, line)
                                      : additionInBlock(node, source, line) };
    const size_t end = rangeOf(owner, source).end;
    std::vector<Edit> ways;
    if (owner.entry) {
        const auto column = static_cast<size_t>(owner.entry->key->span.begin.column) - 1;
        ways.push_back(newLine(node, source, end, std::string(column + indent, ' ') + line));
    }
    ways.push_back(editOf(node, source, { end, end }, " {" + line + "}"));
    return ways;
}

std::optional<Edit> removal(const WrittenValue& value, const SourceText& source)
{
    if (!value.entry || !value.parent)
        return std::nullopt;
    if (isFlow(*value.parent, source))
        return removalInBraces(*value.entry, *value.parent, source);
    const std::string_view text = source.text();
    const size_t key = source.offset(value.entry->key->span.begin);
    size_t begin = lineBegin(text, key);
    size_t end = lineEnd(text, endOf(*value.entry, source));
    if (!trim(text.substr(begin, key - begin)).empty())
        return std::nullopt;
    if (end < text.size())
        ++end;
    else if (begin > 0) // the last line has no line break: the one before goes
        begin -= begin > 1 && text[begin - 2] == '\r' ? 2 : 1;
    return editOf(*value.node, source, { begin, end }, "");
}

} // namespace earwright::language
