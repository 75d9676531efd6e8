#include "core/data/prepare/normalize.h"

#include "core/base/text.h"

#include <cstdint>

namespace kymo::data {
namespace {

/// The code point of a character of one or two bytes (all that has case here); 0 for longer ones.
uint32_t shortCode(const std::string& character)
{
    if (character.size() == 1)
        return static_cast<unsigned char>(character[0]);
    if (character.size() != 2)
        return 0;
    return static_cast<uint32_t>((character[0] & 0x1F) << 6 | (character[1] & 0x3F));
}

std::string fromShortCode(uint32_t code)
{
    if (code < 0x80)
        return { static_cast<char>(code) };
    return { static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F)) };
}

uint32_t lowerCode(uint32_t code)
{
    const auto isIn = [&](uint32_t first, uint32_t last) { return code >= first && code <= last; };
    if (isIn('A', 'Z') || (isIn(0xC0, 0xDE) && code != 0xD7) || isIn(0x391, 0x3A9)
        || isIn(0x410, 0x42F))
        return code + 0x20;
    if (isIn(0x400, 0x40F))
        return code + 0x50;
    if (isIn(0x100, 0x137) || isIn(0x14A, 0x177))
        return code | 1; // pairs of a capital and its small letter
    return code;
}

/// Characters of three and four bytes by their first two: Indic to Hangul but for the punctuation
/// of U+2000 to U+303F; from U+20000 on the rarer Han.
bool isLongLetter(unsigned first, unsigned second)
{
    const bool isPunctuation = first == 0xE2 || (first == 0xE3 && second == 0x80);
    return (first <= 0xED && !isPunctuation) || (first == 0xF0 && second >= 0xA0);
}

bool isLetter(const std::string& character)
{
    const uint32_t code = shortCode(character);
    if (character.size() > 2)
        return isLongLetter(
            static_cast<unsigned char>(character[0]), static_cast<unsigned char>(character[1]));
    return (code >= 'a' && code <= 'z') || (code >= 0xDF && code != 0xF7);
}

} // namespace

std::string lowerCase(const std::string& character)
{
    const uint32_t code = shortCode(character);
    return code == 0 ? character : fromShortCode(lowerCode(code));
}

std::string normalizeTranscript(std::string_view utf8)
{
    std::string text;
    std::string waiting; // an apostrophe or a blank, written when a letter follows
    for (const std::string& original : codePoints(utf8)) {
        const std::string character = lowerCase(original);
        const bool isApostrophe = character == "'" || character == "’";
        if (isLetter(character)) {
            text += text.empty() ? character : waiting + character;
            waiting.clear();
        } else if (isApostrophe && waiting.empty()) {
            waiting = std::string("'");
        } else {
            waiting = std::string(" ");
        }
    }
    return text;
}

} // namespace kymo::data
