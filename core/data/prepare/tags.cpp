#include "core/data/prepare/tags.h"

#include "core/base/code_point.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <libxml/HTMLparser.h>
#include <optional>
#include <set>

namespace earwright::data {
namespace {

/// No tag is longer, and no sentence in brackets is one.
constexpr size_t kLongestTag = 40;

/// GigaSpeech, TED-LIUM, Switchboard, Fisher, Babel, MagicData, AMI, Kaldi, ESPnet, Whisper.
const std::set<std::string, std::less<>>& knownTags()
{
    static const std::set<std::string, std::less<>> names { "*", "+", "applause",
        "background_noise", "background_speech", "bang", "beep", "blank", "blank_audio", "bos",
        "breath", "breathing", "brk", "clear_throat", "click", "cls", "comma", "cough", "crosstalk",
        "cry", "dtmf", "eos", "ens", "eps", "exclamationpoint", "foreign", "gap", "hes",
        "hesitation", "inaudible", "inhale", "int", "laugh", "laughing", "laughs", "laughter",
        "lipsmack", "lip_smack", "mask", "music", "no_speech", "noise", "nonspeech", "non_speech",
        "nps", "nsn", "other", "overlap", "pad", "pause", "period", "pii", "prompt", "questionmark",
        "ring", "s", "sep", "sigh", "sil", "silence", "smack", "sneeze", "sniff", "sonant", "sos",
        "speech_noise", "spk", "spn", "spoken_noise", "sta", "static", "system", "throat", "tone",
        "uh", "um", "unintelligible", "unk", "unknown", "v_noise", "vocalized_noise", "vocal_noise",
        "wind", "yawn" };
    return names;
}

/// Of them those that stand in parentheses too, where words do as well.
bool isSound(std::string_view name)
{
    static const std::set<std::string, std::less<>> names { "applause", "cough", "inaudible",
        "laughing", "laughs", "laughter", "noise", "silence", "unintelligible" };
    return names.contains(name);
}

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

char closerOf(char opener)
{
    switch (opener) {
    case '<':
        return '>';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return opener == '(' ? ')' : 0;
    }
}

/// What is between the brackets, if they may be those of a tag.
std::optional<std::string_view> insideBrackets(std::string_view rest)
{
    const char closer = closerOf(rest.front());
    const size_t end
        = closer == 0 ? std::string_view::npos : rest.substr(0, kLongestTag + 1).find(closer, 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view inside = rest.substr(1, end - 1);
    const bool isNested = inside.find_first_of("<>[]{}()") != std::string_view::npos;
    // "a < b and c > d"; <foreign lang="de"> has a blank behind a name.
    const bool isCalculation
        = rest.front() == '<' && (inside.empty() || inside.front() == ' ' || inside.back() == ' ');
    return trim(inside).empty() || isNested || isCalculation ? std::nullopt : std::optional(inside);
}

std::optional<FoundTag> bracketsAt(std::string_view rest)
{
    const auto inside = insideBrackets(rest);
    if (!inside)
        return std::nullopt;
    constexpr std::string_view kSpokenLaughing = "laughter_"; // Switchboard's [laughter-yes]
    const size_t length = inside->size() + 2;
    const std::string name = nameOfTag(*inside);
    if (rest.front() == '(')
        return isSound(name) ? std::optional(FoundTag { length, TagKind::LeftOut }) : std::nullopt;
    const bool isOfModel = inside->starts_with('|') && inside->ends_with('|') && rest[0] == '<';
    const bool hasFacts = rest.front() == '<'
        && knownTags().contains(name.substr(0, name.find('_')))
        && inside->find('=') != std::string_view::npos;
    if (isOfModel || hasFacts || knownTags().contains(name))
        return FoundTag { length, TagKind::LeftOut };
    if (name.starts_with(kSpokenLaughing) && rest.front() == '[')
        return FoundTag { length, TagKind::Replaced,
            std::string(trim(*inside).substr(kSpokenLaughing.size())) };
    return FoundTag { length, TagKind::Unknown };
}

/// A word by itself: Kaldi's !SIL, Sphinx's ++um++.
std::optional<FoundTag> wordAt(std::string_view rest)
{
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    const bool isSphinx = word.size() > 4 && word.starts_with("++") && word.ends_with("++");
    const bool isKaldi = word.starts_with('!') && knownTags().contains(nameOfTag(word.substr(1)));
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
            result += ' ';
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
    constexpr std::string_view kAnyBegin = "<[{(!+&";
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
