#include "core/data/byte_pair_words.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <array>
#include <utf8proc.h>

// The pattern, by whose alternatives the functions below go:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

namespace earwright::data {
namespace {

enum class Sign { White, Letter, Number, Other };

constexpr std::array<std::string_view, 7> kContractions { "'s", "'t", "'re", "'ve", "'m", "'ll",
    "'d" };

bool isControlBlank(uint32_t code)
{
    return (code >= '\t' && code <= '\r') || code == 0x85;
}

Sign signOf(uint32_t code)
{
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return Sign::Letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return Sign::Number;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return Sign::White;
    default:
        return isControlBlank(code) ? Sign::White : Sign::Other;
    }
}

struct Point {
    Sign sign;
    size_t size;
};

Point pointAt(std::string_view text, size_t at)
{
    const size_t size = codePointLength(text, at);
    const bool isBroken = size == 1 && static_cast<unsigned char>(text[at]) >= 0x80;
    return { isBroken ? Sign::Other : signOf(codeOf(text.substr(at, size))), size };
}

/// Behind the run of such signs that begins at `at`; `last`: where its last sign begins.
size_t runEnd(std::string_view text, size_t at, Sign sign, size_t& last)
{
    while (at < text.size()) {
        const Point point = pointAt(text, at);
        if (point.sign != sign)
            break;
        last = at;
        at += point.size;
    }
    return at;
}

size_t contractionSize(std::string_view text)
{
    for (const std::string_view contraction : kContractions)
        if (text.starts_with(contraction))
            return contraction.size();
    return 0;
}

size_t wordSize(std::string_view text)
{
    if (const size_t size = contractionSize(text))
        return size;
    const size_t begin = text.starts_with(' ') ? 1 : 0;
    size_t last = 0;
    if (begin < text.size()) {
        const Sign sign = pointAt(text, begin).sign;
        if (sign != Sign::White)
            return runEnd(text, begin, sign, last);
    }
    // The last blank belongs to the word behind it, where one is.
    const size_t end = runEnd(text, 0, Sign::White, last);
    return end == text.size() || last == 0 ? end : last;
}

} // namespace

std::vector<std::string_view> bytePairWords(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        words.push_back(text.substr(0, wordSize(text)));
        text.remove_prefix(words.back().size());
    }
    return words;
}

} // namespace earwright::data
