#include "core/language/document.h"

#include <algorithm>

namespace earwright::language {

using recipe::Position;

namespace {

/// An empty text is a recipe without keys; a lone word is none.
bool makeMapping(const recipe::NodePtr& root)
{
    if (root && recipe::isNull(*root) && root->tag.empty())
        root->kind = recipe::Kind::Mapping;
    return root && root->kind == recipe::Kind::Mapping;
}

int linesOf(std::string_view text)
{
    return static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
}

CommonLines commonLines(std::string_view before, std::string_view now)
{
    CommonLines common { 0, 0, linesOf(before), linesOf(now) };
    const size_t shorter = std::min(before.size(), now.size());
    size_t begin = 0;
    while (begin < shorter && before[begin] == now[begin])
        common.first += now[begin++] == '\n' ? 1 : 0;
    size_t end = 0;
    while (end < shorter - begin && before[before.size() - 1 - end] == now[now.size() - 1 - end])
        common.last += now[now.size() - 1 - end++] == '\n' ? 1 : 0;
    return common;
}

void borrowTree(Document& document, const DocumentPtr& previous)
{
    document.isCurrent = false;
    if (!previous)
        return;
    document.tree = previous->tree;
    document.treeText = previous->treeText;
    // Once: every place of an outline asks for it.
    document.common = commonLines(document.treeText, document.request.text);
}

/// The same line in the other text, 0 where it was edited.
int sameLine(int line, const CommonLines& common, int fromLines, int toLines)
{
    if (line <= common.first)
        return line;
    return line > fromLines - common.last ? line + toLines - fromLines : 0;
}

} // namespace

DocumentPtr analyse(
    const check::Request& request, const check::Machine& machine, const DocumentPtr& previous)
{
    const auto document = std::make_shared<Document>();
    document->request = request;
    document->machine = machine;
    document->findings = check::check(request, machine);
    document->tree = document->findings.written;
    document->treeText = request.text;
    if (!makeMapping(document->tree)) {
        document->tree = nullptr;
        borrowTree(*document, previous);
    }
    if (!document->findings.recipe && previous)
        document->findings.recipe = previous->findings.recipe;
    return document;
}

std::optional<Position> toTree(const Document& document, Position place)
{
    if (document.isCurrent)
        return place;
    const CommonLines& common = document.common;
    place.line = sameLine(place.line, common, common.now, common.before);
    return place.line > 0 ? std::optional(place) : std::nullopt;
}

std::optional<recipe::Span> fromTree(const Document& document, const recipe::Span& span)
{
    if (document.isCurrent || span.file != document.request.fileName)
        return span;
    const CommonLines& common = document.common;
    recipe::Span moved = span;
    moved.begin.line = sameLine(span.begin.line, common, common.before, common.now);
    moved.end.line = sameLine(span.end.line, common, common.before, common.now);
    if (moved.begin.line == 0 || moved.end.line == 0)
        return std::nullopt;
    return moved;
}

} // namespace earwright::language
