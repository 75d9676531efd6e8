#include "core/data/prepare/capital_words.h"

#include "core/base/text.h"

#include <utility>
#include <vector>

namespace earwright::data {
namespace {

bool isAnyOf(std::string_view signs, const std::string& character)
{
    return !character.empty() && signs.find(character) != std::string_view::npos;
}

/// A letter with an accent, of another alphabet, or a sign that may be read in several ways.
bool isUnclear(const std::string& character)
{
    constexpr std::string_view kAllowed = " \t\n'`´ʻ‘’\",:;!?¡.…()-—–‑_“”„/«»&+ﬂ";
    return !isAnyOf(kAllowed, character)
        && (character.size() > 1 || std::isalpha(static_cast<unsigned char>(character[0])) == 0);
}

void endWord(std::string& word, std::vector<std::string>& words)
{
    while (word.starts_with('\''))
        word.erase(0, 1);
    while (word.ends_with('\''))
        word.pop_back();
    if (!word.empty())
        words.push_back(std::exchange(word, {}));
    word.clear();
}

} // namespace

std::optional<std::string> capitalWords(std::string_view utf8)
{
    constexpr std::string_view kEnds = " \t\n\",:;!?¡.…()-—–‑_“”„/«»";
    constexpr std::string_view kApostrophes = "'`´ʻ‘’";
    std::vector<std::string> words;
    std::string word;
    for (const std::string& character : codePoints(utf8)) {
        if (isUnclear(character) || character == "_")
            return std::nullopt;
        if (isAnyOf(kEnds, character)) {
            endWord(word, words);
        } else if (character == "&" || character == "+") {
            endWord(word, words);
            words.emplace_back(character == "&" ? "AND" : "PLUS");
        } else if (isAnyOf(kApostrophes, character)) {
            word += '\'';
        } else if (character == "ﬂ") {
            word += "FL";
        } else {
            word += static_cast<char>(std::toupper(static_cast<unsigned char>(character[0])));
        }
    }
    endWord(word, words);
    return join(words, " ");
}

} // namespace earwright::data
