#include "core/score/text_scores.h"

#include "core/base/unspaced.h"

namespace earwright::score {

TextScores scoreTexts(const std::vector<TextPair>& pairs, WordSplit split)
{
    std::vector<std::string> references;
    for (const TextPair& pair : pairs)
        references.push_back(pair.reference);
    TextScores scores { .byWord = {}, .byCharacter = {}, .haveWords = !areUnspaced(references) };
    const auto charactersOf = [&](const std::string& text) {
        return scores.haveWords ? characters(text, split) : unspacedUnits(text);
    };
    for (const auto& [id, reference, hypothesis] : pairs) {
        scores.byWord.push_back(score(id, words(reference, split), words(hypothesis, split)));
        scores.byCharacter.push_back(score(id, charactersOf(reference), charactersOf(hypothesis)));
    }
    return scores;
}

} // namespace earwright::score
