#include "core/run/run_verdict.h"

namespace earwright::run {

namespace {

/// "; MAPSSWE p = 0.003 over 120 segments"; "" of a single segment, and where both erred alike.
std::string matchedPairsText(const score::MatchedPairs& pairs)
{
    const std::string segments = std::to_string(pairs.segments) + " segments";
    if (pairs.p)
        return "; MAPSSWE " + score::pText(*pairs.p) + " over " + segments;
    return pairs.segments > 1 && pairs.meanDifference != 0
        ? "; MAPSSWE cannot tell: all " + segments + " differ alike"
        : "";
}

} // namespace

Result<EvaluatedTexts> readTexts(const RunFolder& folder, const Snapshot& snapshot,
    const std::string& split, std::optional<int64_t> epoch)
{
    const Result<Evaluated> evaluation = findEvaluation(snapshot, split, epoch);
    if (!evaluation)
        return evaluation.error();
    Result<std::vector<Utterance>> utterances = readUtterances(folder, *evaluation);
    if (!utterances)
        return utterances.error();
    EvaluatedTexts result { .name = {}, .evaluation = *evaluation };
    for (Utterance& one : *utterances) {
        result.edits.add(countedEdits(one, evaluation->rate));
        result.texts.push_back(
            { std::move(one.id), std::move(one.reference), std::move(one.hypothesis) });
    }
    return result;
}

Result<score::Verdict> verdictOf(const EvaluatedTexts& first, const EvaluatedTexts& second)
{
    const std::string& rate = first.evaluation.rate;
    if (second.evaluation.rate != rate)
        return Error { first.name + " is judged by its " + rate + " and " + second.name + " by its "
            + second.evaluation.rate + ": they heard different texts" };
    if (second.wordSplit != first.wordSplit)
        return Error { "the recipes say different split_words: their words are not the same" };
    return score::verdict(first.texts, second.texts, rate, first.wordSplit);
}

std::string verdictLine(
    const EvaluatedTexts& first, const EvaluatedTexts& second, const score::Verdict& verdict)
{
    const std::string sentence = verdict.sentence(second.name);
    std::string line = second.evaluation.split
        + (sentence.starts_with(second.name) ? ": " : ", " + second.name + ": ") + sentence
        + matchedPairsText(verdict.matchedPairs);
    if (verdict.onlyInFirst + verdict.onlyInSecond > 0)
        line += "; left out, as only one run has them: " + std::to_string(verdict.onlyInFirst)
            + " utterances of " + first.name + ", " + std::to_string(verdict.onlyInSecond) + " of "
            + second.name;
    return line;
}

} // namespace earwright::run
