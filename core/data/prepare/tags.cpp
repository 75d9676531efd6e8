#include "core/data/prepare/tags.h"

#include "core/base/code_point.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"
#include "core/data/prepare/tag_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <libxml/HTMLparser.h>
#include <optional>

namespace earwright::data {
namespace {

/// No tag is longer, and no sentence in brackets is one.
constexpr size_t kLongestTag = 40;

/// "/Vocalized-Noise" as "vocalized_noise", "|en|" as it is.
std::string nameOfTag(std::string_view inside)
{
    std::string name = toLower(trim(inside));
    name.erase(0, name.find_first_not_of('/'));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
    return name;
}

enum class TagKind { LeftOut, Replaced, Unknown };

/// A tag that begins at some place.
struct FoundTag {
    size_t length = 0;
    TagKind kind = TagKind::Unknown;
    std::string text {}; ///< that it stands for
};

struct Brackets {
    std::string_view opener;
    std::string_view closer;
};

/// Parentheses first. Others of Chinese and Japanese are of titles and quotes.
constexpr Brackets kBrackets[] = { { "(", ")" }, { "（", "）" }, { "<", ">" }, { "[", "]" },
    { "{", "}" }, { "＜", "＞" }, { "［", "］" }, { "｛", "｝" }, { "【", "】" }, { "〔", "〕" } };

constexpr size_t kParentheses = 2;

const Brackets* bracketsOf(std::string_view rest)
{
    const auto* found = std::ranges::find_if(
        kBrackets, [&](const Brackets& brackets) { return rest.starts_with(brackets.opener); });
    return found == std::end(kBrackets) ? nullptr : found;
}

bool hasBrackets(std::string_view text)
{
    return std::ranges::any_of(kBrackets, [&](const Brackets& brackets) {
        return text.find(brackets.opener) != std::string_view::npos
            || text.find(brackets.closer) != std::string_view::npos;
    });
}

/// What is between the brackets, if they may be those of a tag.
std::optional<std::string_view> insideBrackets(std::string_view rest, const Brackets& brackets)
{
    const size_t begin = brackets.opener.size();
    const size_t end = rest.substr(0, kLongestTag + 1).find(brackets.closer, begin);
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view inside = rest.substr(begin, end - begin);
    const bool isNested = hasBrackets(inside);
    // "a < b and c > d"; <foreign lang="de"> has a blank behind a name.
    const bool isCalculation
        = rest.front() == '<' && (inside.empty() || inside.front() == ' ' || inside.back() == ' ');
    return trim(inside).empty() || isNested || isCalculation ? std::nullopt : std::optional(inside);
}

/// The hesitations of IBM, TED-LIUM and the LDC: %HESITATION, %uh. No percentage: 50%, %50, "% of".
std::optional<FoundTag> percentAt(std::string_view rest)
{
    if (!rest.starts_with('%'))
        return std::nullopt;
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    const auto isOfName = [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    };
    const auto end = std::find_if_not(word.begin() + 1, word.end(), isOfName);
    const auto length = static_cast<size_t>(end - word.begin());
    const bool isTag
        = length > 1 && word.find_first_not_of(",.?!;:", length) == std::string_view::npos;
    if (!isTag)
        return std::nullopt;
    const std::string name = nameOfTag(word.substr(1, length - 1));
    const bool isKnown = isHesitation(name) || (name.size() > 1 && isTagName(name));
    return isKnown ? FoundTag { word.size(), TagKind::LeftOut }
                   : FoundTag { length, TagKind::Unknown };
}

/// Words stand in parentheses too: of ASCII's only what is known is a tag, of the wide ones all
/// that is short is told.
std::optional<FoundTag> parenthesesAt(
    std::string_view inside, const std::string& name, const Brackets& brackets)
{
    const size_t length = brackets.opener.size() + inside.size() + brackets.closer.size();
    const std::optional<FoundTag> word = percentAt(inside);
    const bool isHesitating
        = word && word->kind == TagKind::LeftOut && word->length == inside.size();
    if (isNoise(name) || isHesitating)
        return FoundTag { length, TagKind::LeftOut };
    return brackets.opener == "(" ? std::nullopt
                                  : std::optional(FoundTag { length, TagKind::Unknown });
}

std::optional<FoundTag> bracketsAt(std::string_view rest)
{
    const Brackets* brackets = bracketsOf(rest);
    const auto inside = brackets == nullptr ? std::nullopt : insideBrackets(rest, *brackets);
    if (!inside)
        return std::nullopt;
    constexpr std::string_view kSpokenLaughing = "laughter_"; // Switchboard's [laughter-yes]
    const size_t length = brackets->opener.size() + inside->size() + brackets->closer.size();
    const std::string name = nameOfTag(*inside);
    if (brackets < kBrackets + kParentheses)
        return parenthesesAt(*inside, name, *brackets);
    const bool isOfModel = inside->starts_with('|') && inside->ends_with('|') && rest[0] == '<';
    const bool hasFacts = rest.front() == '<' && isTagName(name.substr(0, name.find('_')))
        && inside->find('=') != std::string_view::npos;
    if (isOfModel || hasFacts || isTagName(name) || isNoise(name))
        return FoundTag { length, TagKind::LeftOut };
    if (name.starts_with(kSpokenLaughing) && rest.front() == '[')
        return FoundTag { length, TagKind::Replaced,
            std::string(trim(*inside).substr(kSpokenLaughing.size())) };
    return FoundTag { length, TagKind::Unknown };
}

/// A word by itself: Kaldi's !SIL, Sphinx's ++um++, %HESITATION.
std::optional<FoundTag> wordAt(std::string_view rest)
{
    if (rest.front() == '%')
        return percentAt(rest);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    const bool isSphinx = word.size() > 4 && word.starts_with("++") && word.ends_with("++");
    const bool isKaldi = word.starts_with('!') && isTagName(nameOfTag(word.substr(1)));
    return isSphinx || isKaldi ? std::optional(FoundTag { word.size(), TagKind::LeftOut })
                               : std::nullopt;
}

/// Of "#38" and "#x26"; 0 of what is no letter.
uint32_t codeOfNumber(std::string_view number)
{
    constexpr uint32_t kLast = 0x10FFFF;
    const bool isHex = number.starts_with('x') || number.starts_with('X');
    const std::string digits(number.substr(isHex ? 1 : 0));
    char* end = nullptr;
    const unsigned long code = std::strtoul(digits.c_str(), &end, isHex ? 16 : 10);
    const bool isWhole
        = !digits.empty() && std::isxdigit(static_cast<unsigned char>(digits[0])) != 0 && *end == 0;
    const bool isHalf = code >= 0xD800 && code <= 0xDFFF;
    return isWhole && code <= kLast && !isHalf ? static_cast<uint32_t>(code) : 0;
}

/// HTML's: &amp;, &#39;, &eacute;.
std::optional<FoundTag> entityAt(std::string_view rest)
{
    const size_t end = rest.substr(0, kLongestTag + 1).find(';');
    if (end == std::string_view::npos || end < 2)
        return std::nullopt;
    const std::string name(rest.substr(1, end - 1));
    const bool isName = std::all_of(name.begin() + (name[0] == '#' ? 1 : 0), name.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
    if (!isName)
        return std::nullopt;
    const htmlEntityDesc* known = htmlEntityLookup(reinterpret_cast<const xmlChar*>(name.c_str()));
    const uint32_t code = name[0] == '#' ? codeOfNumber(std::string_view(name).substr(1))
        : known != nullptr               ? known->value
                                         : 0;
    return code == 0 ? FoundTag { end + 1, TagKind::Unknown }
                     : FoundTag { end + 1, TagKind::Replaced, utf8Of(code) };
}

/// Of a script without blanks between words, or its punctuation.
bool isUnspacedSign(std::string_view point)
{
    const uint32_t code = point.empty() ? ' ' : codeOf(point);
    return isUnspaced(code) || (code >= 0x3001 && code <= 0x303F)
        || (code >= 0xFF01 && code <= 0xFF65);
}

std::string_view lastPoint(std::string_view text)
{
    size_t at = text.size();
    while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) { }
    return text.substr(at);
}

/// In place of a tag between them.
std::string_view gapBetween(std::string_view before, std::string_view after)
{
    const std::string_view first
        = after.empty() ? after : after.substr(0, codePointLength(after, 0));
    return isUnspacedSign(lastPoint(before)) && isUnspacedSign(first) ? "" : " ";
}

/// `find` tells the tag at a byte, of which tags begin with one of `begins`.
template <class Find>
std::string replaced(
    std::string_view text, std::string_view begins, const Find& find, TranscriptTags& met)
{
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const bool mayBegin = begins.find(text[at]) != std::string_view::npos;
        const bool isWordsBegin = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t';
        const std::optional<FoundTag> tag
            = mayBegin ? find(text.substr(at), isWordsBegin) : std::nullopt;
        if (!tag) {
            result += text[at++];
            continue;
        }
        const std::string written(text.substr(at, tag->length));
        at += tag->length;
        TranscriptTags::Counts& counts = tag->kind == TagKind::LeftOut ? met.leftOut
            : tag->kind == TagKind::Replaced                           ? met.replaced
                                                                       : met.unknown;
        ++counts[written];
        if (tag->kind == TagKind::LeftOut)
            result += gapBetween(result, text.substr(at));
        else
            result += tag->kind == TagKind::Replaced ? tag->text : written;
    }
    return result;
}

/// "<COMMA> 12, <SIL> 3": the most frequent first.
std::string listOf(const TranscriptTags::Counts& counts)
{
    constexpr size_t kMostShown = 20;
    std::vector<std::pair<std::string, int64_t>> all(counts.begin(), counts.end());
    std::ranges::stable_sort(all, std::greater(), [](const auto& one) { return one.second; });
    std::vector<std::string> shown;
    for (size_t i = 0; i < std::min(all.size(), kMostShown); ++i)
        shown.push_back(all[i].first + " " + std::to_string(all[i].second));
    if (all.size() > kMostShown)
        shown.push_back("… (" + std::to_string(all.size()) + " different ones)");
    return join(shown, ", ");
}

} // namespace

void TranscriptTags::add(const TranscriptTags& more)
{
    for (const auto member : { &TranscriptTags::leftOut, &TranscriptTags::replaced,
             &TranscriptTags::unknown, &TranscriptTags::kept })
        for (const auto& [tag, count] : more.*member)
            (this->*member)[tag] += count;
}

std::vector<std::string> TranscriptTags::notes() const
{
    std::vector<std::string> lines;
    for (const auto& [what, counts] : { std::pair { "tags left out of the texts: ", &leftOut },
             { "signs written for tags: ", &replaced },
             { "unknown tags, kept as words of the texts: ", &unknown },
             { "tags kept in the texts, as asked: ", &kept } })
        if (!counts->empty())
            lines.push_back(what + listOf(*counts));
    return lines;
}

std::string withoutTags(std::string_view text, TranscriptTags& met)
{
    constexpr std::string_view kAnyBegin = "<[{(!+%\xe3\xef&"; // of wide brackets the first byte
    if (text.find_first_of(kAnyBegin) == std::string_view::npos)
        return std::string(text);
    TranscriptTags here;
    const std::string plain = replaced(
        text, "&", [](std::string_view rest, bool) { return entityAt(rest); }, here);
    std::string words = replaced(
        plain, kAnyBegin.substr(0, kAnyBegin.size() - 1),
        [](std::string_view rest, bool isWordsBegin) {
            const std::optional<FoundTag> tag = bracketsAt(rest);
            return tag || !isWordsBegin ? tag : wordAt(rest);
        },
        here);
    const bool hasGaps = !here.leftOut.empty() || !here.replaced.empty();
    met.add(here);
    return hasGaps ? join(splitAtWhiteSpace(words), " ") : words;
}

void countTags(std::string_view text, TranscriptTags& met)
{
    TranscriptTags here;
    withoutTags(text, here);
    for (const TranscriptTags::Counts* counts : { &here.leftOut, &here.replaced, &here.unknown })
        for (const auto& [tag, count] : *counts)
            met.kept[tag] += count;
}

} // namespace earwright::data
