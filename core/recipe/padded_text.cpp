#include "core/recipe/padded_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>

namespace earwright::recipe {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// The words of a line without its comment, the offset of each.
std::vector<std::pair<size_t, std::string_view>> wordsOf(std::string_view line)
{
    std::vector<std::pair<size_t, std::string_view>> words;
    size_t at = line.find_first_not_of(kSpace);
    while (at != std::string_view::npos && line[at] != '#') {
        const size_t end = std::min(line.find_first_of(kSpace, at), line.size());
        words.emplace_back(at, line.substr(at, end - at));
        at = line.find_first_not_of(kSpace, end);
    }
    return words;
}

bool isBlockHeader(std::string_view word)
{
    return (word[0] == '|' || word[0] == '>')
        && word.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

bool isProperty(std::string_view word)
{
    return word[0] == '!' || word[0] == '&';
}

/// What stands before the content of a block scalar.
struct Header {
    size_t parentIndent = 0; ///< the content is indented deeper
    size_t padding = 0;
};

std::optional<Header> headerIn(std::string_view line)
{
    const auto words = wordsOf(line);
    if (words.empty() || !isBlockHeader(words.back().second))
        return std::nullopt;
    Header header { indentation(line), 0 };
    size_t at = 0;
    for (; words[at].second == "-"; ++at)
        header.parentIndent = words[at].first;
    if (at == 0 || at + 1 == words.size())
        return header;
    const bool hasPropertiesOnly = std::all_of(words.begin() + static_cast<std::ptrdiff_t>(at),
        words.end() - 1, [](const auto& word) { return isProperty(word.second); });
    if (hasPropertiesOnly)
        header.padding = words[at].first - header.parentIndent;
    else // "- key: |"
        header.parentIndent = words[at].first;
    return header;
}

} // namespace

size_t PaddedText::originalOffset(size_t padded) const
{
    size_t inserted = 0;
    for (const auto& [offset, count] : insertions) {
        if (offset + inserted >= padded)
            break;
        inserted += std::min(count, padded - offset - inserted);
    }
    return padded - inserted;
}

PaddedText padBlockScalars(std::string_view text)
{
    PaddedText padded;
    std::optional<Header> block;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::string_view line = text.substr(begin, end - begin);
        const bool isBlank = trim(line).empty();
        if (block && !isBlank && indentation(line) <= block->parentIndent)
            block.reset();
        if (block && block->padding > 0 && !isBlank) {
            padded.insertions.emplace_back(begin, block->padding);
            padded.text.append(block->padding, ' ');
        }
        if (!block)
            block = headerIn(line);
        padded.text += line;
        begin = end;
    }
    return padded;
}

} // namespace earwright::recipe
