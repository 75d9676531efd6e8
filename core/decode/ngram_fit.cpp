#include "core/decode/ngram_fit.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace earwright::decode {

namespace {

/// Code points that a word may begin with: the first of every label, as a mark of words may stand
/// alone before any piece.
std::set<std::string> beginnings(const CtcVocabulary& vocabulary)
{
    std::set<std::string> points;
    for (int32_t token = 0; token < vocabulary.size(); ++token) {
        const CtcToken& output = vocabulary[token];
        if (output.role != TokenRole::Blank && !output.piece.empty())
            points.insert(codePoints(output.piece).front());
    }
    return points;
}

size_t wordsBegun(const NgramModel& model, const std::set<std::string>& points)
{
    size_t words = 0;
    for (const std::string& point : points)
        words += model.wordsBeginningWith(point);
    return words;
}

std::string otherCase(std::string text)
{
    for (char& c : text) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            c = static_cast<char>(c ^ 0x20);
    }
    return text;
}

/// Most of its words are one letter each, as those of Mandarin texts with blanks between all
/// characters: these are words to the n-gram too.
bool areLettersWords(const CtcVocabulary& vocabulary)
{
    int32_t letters = 0;
    for (int32_t token = 0; token < vocabulary.size(); ++token) {
        const CtcToken& output = vocabulary[token];
        letters += output.role == TokenRole::WordStart && output.length == 1 ? 1 : 0;
    }
    return 2 * letters > vocabulary.size();
}

std::string charactersMisfit(const NgramModel& model, const CtcVocabulary& vocabulary)
{
    if (!model.isOfCharacters())
        return "is of words, and this model writes characters without blanks between words: make "
               "it with `earwright lm --characters`";
    size_t known = 0;
    for (int32_t token = 0; token < vocabulary.size(); ++token)
        known += model.hasWord(vocabulary[token].hash) ? 1 : 0;
    const size_t most = std::min(static_cast<size_t>(vocabulary.size()), model.realWordCount());
    if (2 * known >= most)
        return {};
    return "knows " + std::to_string(known) + " of the " + std::to_string(vocabulary.size())
        + " characters that this model writes: make it of texts like those of the training";
}

std::string wordsMisfit(const NgramModel& model, const CtcVocabulary& vocabulary)
{
    if (model.characterCount() == model.realWordCount() && !areLettersWords(vocabulary))
        return std::string(
                   "knows no word longer than a letter, as `earwright lm --characters` makes "
                   "it, and this model writes ")
            + (vocabulary.isUnspaced()
                    ? "pieces of several characters: an n-gram helps a model of characters, of a "
                      "label encoder or of model_type char"
                    : "words: make it without --characters");
    std::set<std::string> points = beginnings(vocabulary);
    const size_t begun = wordsBegun(model, points);
    if (2 * begun >= model.realWordCount())
        return {};
    std::set<std::string> others;
    for (const std::string& point : points)
        others.insert(otherCase(point));
    if (2 * wordsBegun(model, others) >= model.realWordCount())
        return "is of texts in other letters than this model writes (small, capital): make it of "
               "texts like those of the training";
    return "has " + std::to_string(model.realWordCount()) + " words, of which only "
        + std::to_string(begun)
        + " begin with a letter of this model: make it of texts like those "
          "of the training";
}

} // namespace

std::string ngramMisfit(const NgramModel& model, const CtcVocabulary& vocabulary)
{
    if (model.realWordCount() == 0)
        return {};
    return vocabulary.areCharacters() ? charactersMisfit(model, vocabulary)
                                      : wordsMisfit(model, vocabulary);
}

} // namespace earwright::decode
