#include "core/data/prepare/capital_words.h"

#include "core/base/text.h"

#include <utility>
#include <vector>

namespace earwright::data {
namespace {

bool isAnyOf(std::string_view signs, const std::string& character)
{
    return signs.find(character) != std::string_view::npos;
}

/// As Python's upper() has it: all other letters become more than A-Z.
std::string capitalsOf(const std::string& character, bool keepsDigits)
{
    struct Spelt {
        const char* letter;
        const char* capitals;
    };
    constexpr Spelt kLigatures[] = { { "ﬂ", "FL" }, { "ﬁ", "FI" }, { "ﬀ", "FF" }, { "ﬃ", "FFI" },
        { "ﬄ", "FFL" }, { "ﬅ", "ST" }, { "ﬆ", "ST" }, { "ſ", "S" } };
    constexpr Spelt kOthers[] = { { "ß", "SS" }, { "ı", "I" } }; // Libriheavy's are left out
    const char first = character.front();
    if ((first >= 'A' && first <= 'Z') || (keepsDigits && first >= '0' && first <= '9'))
        return character;
    if (first >= 'a' && first <= 'z')
        return std::string(1, static_cast<char>(first - 'a' + 'A'));
    for (const auto& [letter, capitals] : kLigatures)
        if (character == letter)
            return capitals;
    for (const auto& [letter, capitals] : kOthers)
        if (keepsDigits && character == letter)
            return capitals;
    return {};
}

void endWord(std::string& word, std::vector<std::string>& words)
{
    while (word.starts_with('\''))
        word.erase(0, 1);
    while (word.ends_with('\''))
        word.pop_back();
    if (!word.empty())
        words.push_back(std::exchange(word, {}));
}

} // namespace

std::optional<std::string> capitalWords(std::string_view utf8, CapitalDigits digits)
{
    constexpr std::string_view kEnds = " \t\n\",:;!?¡.…()-—–‑“”„/«»";
    constexpr std::string_view kApostrophes = "'`´ʻ‘’";
    const bool keepsDigits = digits == CapitalDigits::Kept;
    if (brokenUtf8At(utf8) != std::string::npos)
        return std::nullopt;
    std::vector<std::string> words;
    std::string word;
    for (const std::string& character : codePoints(utf8)) {
        if (isAnyOf(kEnds, character) || (keepsDigits && character == "_")) {
            endWord(word, words);
        } else if (character == "&" || character == "+") {
            endWord(word, words);
            words.emplace_back(character == "&" ? "AND" : "PLUS");
        } else if (isAnyOf(kApostrophes, character)) {
            word += '\'';
        } else if (const std::string capitals = capitalsOf(character, keepsDigits);
                   !capitals.empty()) {
            word += capitals;
        } else {
            return std::nullopt;
        }
    }
    endWord(word, words);
    return join(words, " ");
}

} // namespace earwright::data
