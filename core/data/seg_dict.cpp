#include "core/data/seg_dict.h"

#include "core/base/cjk.h"
#include "core/base/text.h"

#include <algorithm>
#include <iterator>

namespace earwright::data {
namespace {

constexpr std::string_view kGoesOn = "@@";

bool isAsciiDigit(const std::string& point)
{
    return point.size() == 1 && point[0] >= '0' && point[0] <= '9';
}

bool isAsciiLetter(const std::string& point)
{
    const char lower = point.size() == 1 ? static_cast<char>(point[0] | 0x20) : '\0';
    return lower >= 'a' && lower <= 'z';
}

/// Upstream's [\u4E00-\u9FA5A-Za-z0-9].
bool isSpelt(const std::string& point)
{
    const bool isHan = point.size() == 3 && point >= "\u4e00" && point <= "\u9fa5";
    return isHan || isAsciiLetter(point) || isAsciiDigit(point);
}

/// What stands between blanks: also 's, and the sign of an unknown word.
bool isOfWord(const std::string& point)
{
    return isAsciiLetter(point) || point == "'" || point == "⁇";
}

void append(std::vector<std::string>& all, std::vector<std::string> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

} // namespace

SegDict::SegDict(std::string_view text)
{
    for (const std::string& line : split(text, '\n')) {
        std::vector<std::string> words = splitAtBlanks(trim(line), " \t");
        if (words.size() > 1)
            m_tokensOf[words.front()] = { words.begin() + 1, words.end() };
    }
}

std::vector<std::string> SegDict::cutWord(const std::string& word) const
{
    if (const auto whole = m_tokensOf.find(word); whole != m_tokensOf.end())
        return whole->second;
    const std::vector<std::string> points = codePoints(word);
    if (!isSpelt(points.front()))
        return { kUnknown };
    const std::vector<std::string> units = mixedUnits(word);
    std::vector<std::string> tokens;
    if (units.size() > 1) {
        for (const std::string& unit : units)
            append(tokens, cutWord(unit));
        return tokens;
    }
    for (const std::string& point : points) {
        const auto spelt = m_tokensOf.find(point);
        append(tokens,
            spelt == m_tokensOf.end() ? std::vector<std::string> { kUnknown } : spelt->second);
    }
    return tokens;
}

std::vector<std::string> SegDict::cut(const std::string& text) const
{
    std::vector<std::string> tokens;
    for (const std::string& word : splitAtBlanks(toLower(text)))
        append(tokens, cutWord(word));
    return tokens;
}

std::string SegDict::unknownWord(const std::string& text) const
{
    for (const std::string& word : splitAtBlanks(text)) {
        const std::vector<std::string> tokens = cut(word);
        if (std::find(tokens.begin(), tokens.end(), kUnknown) != tokens.end())
            return word;
    }
    return "";
}

std::string SegDict::join(const std::vector<std::string>& tokens)
{
    std::string text;
    bool isBehindWord = false;
    for (const std::string& token : tokens) {
        if (token.empty())
            continue;
        const std::string first = codePoints(token).front();
        const bool isAlone = isIdeograph(first) || isAsciiDigit(first);
        if (isBehindWord && !isAlone)
            text += ' ';
        const bool isOpen = token.size() > kGoesOn.size() && token.ends_with(kGoesOn);
        isBehindWord = !isOpen && isOfWord(first);
        text += isOpen ? token.substr(0, token.size() - kGoesOn.size()) : token;
    }
    return text;
}

} // namespace earwright::data
