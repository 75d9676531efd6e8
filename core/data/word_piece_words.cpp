#include "core/data/word_piece_words.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace earwright::data {
namespace {

struct CodeRange {
    uint32_t first, last;
};

/// The library's own table: it begins one block late (U+2B920), where BERT's has U+2B820.
constexpr CodeRange kBertIdeographs[]
    = { { 0x4E00, 0x9FFF }, { 0x3400, 0x4DBF }, { 0x20000, 0x2A6DF }, { 0x2A700, 0x2B73F },
          { 0x2B740, 0x2B81F }, { 0x2B920, 0x2CEAF }, { 0xF900, 0xFAFF }, { 0x2F800, 0x2FA1F } };

/// What the library's tables of categories have: Unicode 8.
bool isInCategory(uint32_t code, uint32_t mask)
{
    constexpr uint8_t kNewestUnicode = 8;
    UVersionInfo age {};
    u_charAge(static_cast<UChar32>(code), age);
    return age[0] <= kNewestUnicode && (U_MASK(u_charType(static_cast<UChar32>(code))) & mask) != 0;
}

bool isBertSpace(uint32_t code)
{
    return u_isUWhiteSpace(static_cast<UChar32>(code)) != 0;
}

bool isDropped(uint32_t code)
{
    if (code == 0 || code == 0xFFFD)
        return true;
    return code != '\t' && code != '\n' && code != '\r'
        && isInCategory(code, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

bool isBertPunctuation(uint32_t code)
{
    const bool isAsciiSign = code > ' ' && code < 0x7F && !u_isalnum(static_cast<UChar32>(code));
    return isAsciiSign || isInCategory(code, U_GC_P_MASK);
}

bool isBertIdeograph(uint32_t code)
{
    return std::any_of(std::begin(kBertIdeographs), std::end(kBertIdeographs),
        [&](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

/// Without the marks that Unicode's NFD takes off their letters.
std::string withoutBertMarks(const std::string& text)
{
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
    const icu::UnicodeString taken = nfd->normalize(icu::UnicodeString::fromUTF8(text), error);
    std::string apart;
    taken.toUTF8String(apart);
    std::string left;
    for (const std::string& letter : codePoints(apart))
        if (!isInCategory(codeOf(letter), U_GC_MN_MASK))
            left += letter;
    return left;
}

/// A letter at a time, so that a sigma at a word's end is one as any other.
std::string inSmallLetters(const std::string& text)
{
    constexpr uint32_t kDottedI = 0x130; // the only letter that becomes two
    std::string small;
    for (const std::string& letter : codePoints(text)) {
        const uint32_t code = codeOf(letter);
        small += code == kDottedI ? "i\u0307" : utf8Of(smallLetterOf(code));
    }
    return small;
}

std::string normalizedForBert(const std::string& text, const WordPieceRules& rules)
{
    std::string clean;
    for (const std::string& letter : codePoints(text)) {
        const uint32_t code = codeOf(letter);
        if (isDropped(code))
            continue;
        if (isBertSpace(code))
            clean += ' ';
        else if (rules.splitIdeographs && isBertIdeograph(code))
            clean += " " + letter + " ";
        else
            clean += letter;
    }
    if (rules.stripAccents.value_or(rules.lowerCase))
        clean = withoutBertMarks(clean);
    return rules.lowerCase ? inSmallLetters(clean) : clean;
}

} // namespace

std::vector<std::string> wordsOfBert(const std::string& text, const WordPieceRules& rules)
{
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty())
            words.push_back(std::move(word));
        word.clear();
    };
    for (const std::string& letter : codePoints(normalizedForBert(text, rules))) {
        const uint32_t code = codeOf(letter);
        if (!isBertSpace(code) && !isBertPunctuation(code)) {
            word += letter;
            continue;
        }
        end();
        if (!isBertSpace(code))
            words.push_back(letter);
    }
    end();
    return words;
}

} // namespace earwright::data
