#include "core/data/whisper_normalizer.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/data/pattern.h"
#include "core/data/whisper_numbers.h"

#include <algorithm>
#include <iterator>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace earwright::data {
namespace {

/// A word or a part of one, and what is written for it.
struct Written {
    const char* word; ///< its end is an edge of a word, and its beginning where that is a letter
    const char* with;
};

/// Filled pauses, contractions, titles: in this order, as a later one may be left of an earlier.
constexpr Written kWritten[] = { { "won't", "will not" }, { "can't", "can not" },
    { "let's", "let us" }, { "ain't", "aint" }, { "y'all", "you all" }, { "wanna", "want to" },
    { "gotta", "got to" }, { "gonna", "going to" }, { "i'ma", "i am going to" },
    { "imma", "i am going to" }, { "woulda", "would have" }, { "coulda", "could have" },
    { "shoulda", "should have" }, { "ma'am", "madam" }, { "mr", "mister " }, { "mrs", "missus " },
    { "st", "saint " }, { "dr", "doctor " }, { "prof", "professor " }, { "capt", "captain " },
    { "gov", "governor " }, { "ald", "alderman " }, { "gen", "general " }, { "sen", "senator " },
    { "rep", "representative " }, { "pres", "president " }, { "rev", "reverend " },
    { "hon", "honorable " }, { "asst", "assistant " }, { "assoc", "associate " },
    { "lt", "lieutenant " }, { "col", "colonel " }, { "jr", "junior " }, { "sr", "senior " },
    { "esq", "esquire " }, { "'d been", " had been" }, { "'s been", " has been" },
    { "'d gone", " had gone" }, { "'s gone", " has gone" }, { "'d done", " had done" },
    { "'s got", " has got" }, { "n't", " not" }, { "'re", " are" }, { "'s", " is" },
    { "'d", " would" }, { "'ll", " will" }, { "'t", " not" }, { "'ve", " have" }, { "'m", " am" } };
constexpr const char* kPauses[] = { "hmm", "mm", "mhm", "mmm", "uh", "um" };
/// Of the middle of a word too.
constexpr std::string_view kNot = "n't";

/// Letters that Unicode takes apart into nothing.
struct Plain {
    uint32_t letter;
    const char* with;
};
constexpr Plain kPlain[] = { { U'œ', "oe" }, { U'Œ', "OE" }, { U'ø', "o" }, { U'Ø', "O" },
    { U'æ', "ae" }, { U'Æ', "AE" }, { U'ß', "ss" }, { U'ẞ', "SS" }, { U'đ', "d" }, { U'Đ', "D" },
    { U'ð', "d" }, { U'Ð', "D" }, { U'þ', "th" }, { U'Þ', "th" }, { U'ł', "l" }, { U'Ł', "L" } };

bool isInWord(const std::string& point)
{
    const uint32_t code = codeOf(point);
    return code == '_' || isLetter(code) || isDigit(code);
}

/// Whether a word goes on behind `at`; before it with `isBefore`.
bool hasWordAt(const std::string& text, size_t at, bool isBefore)
{
    if (at == (isBefore ? 0 : text.size()))
        return false;
    size_t begin = isBefore ? at - 1 : at;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
        --begin;
    return isInWord(text.substr(begin, codePointLength(text, begin)));
}

void replaceWord(std::string& text, std::string_view word, std::string_view with)
{
    const bool beginsWord = word.front() != '\'' && word != kNot;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const bool isWhole = !hasWordAt(text, at + word.size(), false)
            && !(beginsWord && hasWordAt(text, at, true));
        if (isWhole)
            text.replace(at, word.size(), with);
        at += isWhole ? with.size() : 1;
    }
}

std::string lowered(const std::string& text)
{
    std::string made;
    return icu::UnicodeString::fromUTF8(text).toLower(icu::Locale::getRoot()).toUTF8String(made);
}

/// Unicode's NFKD or NFKC.
std::vector<std::string> compatible(const std::string& text, bool isComposed)
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = isComposed ? icu::Normalizer2::getNFKCInstance(status)
                                              : icu::Normalizer2::getNFKDInstance(status);
    std::string made;
    form->normalize(icu::UnicodeString::fromUTF8(text), status).toUTF8String(made);
    return codePoints(made);
}

/// A mark on a letter, a symbol or punctuation.
bool isMark(uint32_t code)
{
    return (U_GET_GC_MASK(static_cast<UChar32>(code)) & (U_GC_M_MASK | U_GC_S_MASK | U_GC_P_MASK))
        != 0;
}

std::string withoutMarks(const std::string& text)
{
    std::string made;
    for (const std::string& point : compatible(text, true))
        made += isMark(codeOf(point)) ? " " : point;
    return made;
}

std::string withoutMarksAndAccents(const std::string& text, const std::vector<std::string>& keep)
{
    std::string made;
    for (const std::string& point : compatible(text, false)) {
        const uint32_t code = codeOf(point);
        const auto* plain = std::find_if(std::begin(kPlain), std::end(kPlain),
            [&](const Plain& one) { return one.letter == code; });
        const bool isAccent = u_charType(static_cast<UChar32>(code)) == U_NON_SPACING_MARK;
        if (std::find(keep.begin(), keep.end(), point) != keep.end())
            made += point;
        else if (plain != std::end(kPlain))
            made += plain->with;
        else if (!isAccent)
            made += isMark(code) ? " " : point;
    }
    return made;
}

std::string withoutBrackets(const std::string& text)
{
    static const Pattern brackets(R"([<\[][^>\]]*[>\]])");
    static const Pattern parentheses(R"(\(([^)]+?)\))");
    return parentheses.replaced(brackets.replaced(text, ""), "");
}

std::string withSingleBlanks(const std::string& text)
{
    static const Pattern blanks(Pattern::kSpace + std::string("+"));
    return blanks.replaced(text, " ");
}

std::string spelt(const std::string& text, const Spellings& spellings)
{
    std::vector<std::string> words = splitAtWhiteSpace(text);
    for (std::string& word : words)
        if (const auto spelling = spellings.find(word); spelling != spellings.end())
            word = spelling->second;
    return join(words, " ");
}

} // namespace

std::string normalizedEnglish(const std::string& text, const Spellings& spellings)
{
    static const Pattern apostrophe(Pattern::kSpace + std::string("+'"));
    static const Pattern comma(R"((\p{Nd}),(\p{Nd}))");
    static const Pattern period(R"(\.([^0-9]|$))");
    static const Pattern sign("[.$¢€£]([^0-9])");
    static const Pattern percent("([^0-9])%");
    std::string made = withoutBrackets(lowered(text));
    for (const char* pause : kPauses)
        replaceWord(made, pause, "");
    made = apostrophe.replaced(made, "'");
    for (const auto& [word, with] : kWritten)
        replaceWord(made, word, with);
    made = period.replaced(comma.replaced(made, "$1$2"), " $1");
    made = withoutMarksAndAccents(made, codePoints(".%$¢€£"));
    made = spelt(withDigits(made), spellings);
    made = percent.replaced(sign.replaced(made, " $1"), "$1 ");
    return withSingleBlanks(made);
}

std::string normalizedBasic(const std::string& text, bool removeDiacritics, bool splitLetters)
{
    std::string made = withoutBrackets(lowered(text));
    made = lowered(removeDiacritics ? withoutMarksAndAccents(made, {}) : withoutMarks(made));
    if (splitLetters)
        made = join(graphemes(made), " ");
    return withSingleBlanks(made);
}

} // namespace earwright::data
