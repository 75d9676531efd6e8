#include "core/language/banner.h"

#include "core/base/text.h"

#include <algorithm>

namespace earwright::language {
namespace {

constexpr std::string_view kDecoration = "#=-*~_+ \t\r";
constexpr size_t kLongestTitle = 40;

std::string_view stripped(std::string_view line)
{
    const size_t begin = line.find_first_not_of(kDecoration);
    if (begin == std::string_view::npos)
        return {};
    return line.substr(begin, line.find_last_not_of(kDecoration) - begin + 1);
}

bool isRule(std::string_view line)
{
    return stripped(line).empty();
}

/// At least three signs of decoration in a row before or behind the words.
bool isDecorated(std::string_view line)
{
    for (const char* const run : { "###", "---", "===", "***", "~~~", "___" })
        if (trim(line).starts_with(run) || trim(line).ends_with(run)
            || trim(stripped(line).empty() ? line : line.substr(1)).starts_with(run))
            return true;
    return false;
}

bool isTitle(std::string_view words)
{
    return !words.empty() && codePointCount(words) <= kLongestTitle
        && words.find_first_of(":=<>{}[]!") == std::string_view::npos
        && std::string_view(".,;?").find(words.back()) == std::string_view::npos;
}

struct Block {
    std::vector<std::string_view> lines;
    bool isBehindBlank = true; ///< or at the top of the file
    bool isBeforeKey = false; ///< the next line is neither blank nor indented
};

std::string titleOf(const Block& block)
{
    std::vector<std::string_view> worded;
    for (const std::string_view line : block.lines)
        if (!isRule(line))
            worded.push_back(line);
    if (worded.empty())
        return "";
    // A decorated line heads the block; sentences may follow it.
    if (isDecorated(worded.front()) && isTitle(stripped(worded.front())))
        return std::string(stripped(worded.front()));
    const bool isBetweenRules
        = block.lines.size() > 2 && isRule(block.lines.front()) && isRule(block.lines.back());
    const bool isAlone = block.lines.size() == 1 && block.isBehindBlank && block.isBeforeKey;
    const std::string_view words = stripped(worded.front());
    return worded.size() == 1 && (isBetweenRules || isAlone) && isTitle(words) ? std::string(words)
                                                                               : "";
}

} // namespace

std::vector<Banner> bannersOf(std::string_view text)
{
    std::vector<Banner> banners;
    Block block;
    bool wasBlank = true;
    int number = 0;
    const auto finish = [&](bool isBeforeKey) {
        block.isBeforeKey = isBeforeKey;
        if (const std::string title = titleOf(block); !title.empty())
            banners.push_back({ number - 1, title });
        block = {};
    };
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.starts_with('#')) {
            if (block.lines.empty())
                block.isBehindBlank = wasBlank;
            block.lines.push_back(line);
            continue;
        }
        wasBlank = trim(line).empty();
        if (!block.lines.empty())
            finish(!wasBlank && line[0] != ' ');
    }
    return banners;
}

} // namespace earwright::language
