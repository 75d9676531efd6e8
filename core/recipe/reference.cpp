#include "core/recipe/reference.h"

#include "core/base/text.h"
#include "core/recipe/source.h"

#include <tuple>

#include <filesystem>

namespace earwright::recipe {
namespace {

std::string_view strip(std::string_view text, std::string_view characters)
{
    const size_t begin = text.find_first_not_of(characters);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

/// The next "<…>" from `at`: its begin, and the end after ">"; npos where there is none.
std::pair<size_t, size_t> nextReference(std::string_view text, size_t at)
{
    const size_t begin = text.find('<', at);
    const size_t end = begin == std::string_view::npos ? begin : text.find('>', begin);
    if (end == std::string_view::npos)
        return { end, end };
    return { begin, end + 1 };
}

bool isNameBoundary(char c)
{
    return std::string_view("<>[].").find(c) != std::string_view::npos;
}

} // namespace

Reference readReference(std::string_view bracketed)
{
    std::string_view path = strip(bracketed, "<>");
    Reference reference;
    if (const size_t dot = path.find('.'); dot != std::string_view::npos) {
        reference.attribute = path.substr(dot + 1);
        path = path.substr(0, dot);
    }
    for (const std::string& key : split(path, '['))
        reference.keys.emplace_back(strip(key, "]"));
    return reference;
}

std::vector<Piece> splitReferences(std::string_view text)
{
    std::vector<Piece> pieces;
    size_t at = 0;
    while (at < text.size()) {
        const auto [begin, end] = nextReference(text, at);
        const std::string_view before
            = text.substr(at, begin == std::string_view::npos ? begin : begin - at);
        if (!before.empty())
            pieces.push_back({ std::string(before), false });
        if (begin == std::string_view::npos)
            break;
        pieces.push_back({ std::string(text.substr(begin, end - begin)), true });
        at = end;
    }
    return pieces;
}

bool hasReference(std::string_view text)
{
    return nextReference(text, 0).first != std::string_view::npos;
}

bool isReferenceTag(std::string_view tag)
{
    return tag == "!ref" || tag == "!copy";
}

bool isIncludeTag(std::string_view tag)
{
    return tag.starts_with("!include:");
}

bool isReference(const Node& node)
{
    return node.kind == Kind::Scalar && isReferenceTag(node.tag);
}

std::string includedPath(const Node& node, const std::string& includingFile)
{
    const std::string_view name
        = std::string_view(node.tag).substr(std::string_view("!include:").size());
    return (std::filesystem::path(includingFile).parent_path() / name).lexically_normal().string();
}

std::vector<Edit> renameInSource(
    const Node& node, const SourceText& text, const std::string& wrong, const std::string& right)
{
    const std::string_view source = text.text();
    const size_t nodeEnd = text.offset(node.span.end);
    std::vector<Edit> edits;
    auto [begin, end] = nextReference(source, text.offset(node.span.begin));
    for (; end <= nodeEnd; std::tie(begin, end) = nextReference(source, end)) {
        const std::string_view until = source.substr(0, end);
        for (size_t at = until.find(wrong, begin); !wrong.empty() && at < end;
             at = until.find(wrong, at + 1)) {
            const size_t after = at + wrong.size();
            if (isNameBoundary(source[at - 1]) && after < end && isNameBoundary(source[after]))
                edits.push_back({ text.span(node.span.file, at, after), right });
        }
    }
    return edits;
}

} // namespace earwright::recipe
