#include "app/cli/transcript_text.h"

#include "app/cli/transcript_scores.h"
#include "core/base/text.h"

#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

/// To a millisecond.
double seconds(int32_t frame, double secondsPerFrame)
{
    return std::round(frame * secondsPerFrame * 1000) / 1000;
}

/// A score is computed in float32: what a double has behind its digits is noise.
double inFloatDigits(double score)
{
    char text[32];
    const auto written = std::to_chars(std::begin(text), std::end(text), static_cast<float>(score));
    double value = score;
    std::from_chars(text, written.ptr, value);
    return value;
}

Json wordsOf(const decode::CtcHypothesis& hypothesis, double secondsPerFrame)
{
    Json words = Json::array();
    for (const decode::WordFrames& word : hypothesis.words) {
        Json entry { { "word", word.word }, { "begin", word.begin }, { "end", word.end } };
        if (secondsPerFrame > 0) {
            entry["begin_seconds"] = seconds(word.begin, secondsPerFrame);
            entry["end_seconds"] = seconds(word.end, secondsPerFrame);
        }
        words.push_back(std::move(entry));
    }
    return words;
}

} // namespace

std::string asText(const data::Utterance& utterance, const train::Heard& heard, bool isList)
{
    if (!heard.problem.empty())
        return {};
    if (!isList)
        return utterance.id + "\t" + heard.text() + "\n";
    std::string text;
    for (size_t n = 0; n < heard.hypotheses.size(); ++n)
        text += utterance.id + "\t" + std::to_string(n + 1) + "\t"
            + formatDouble(inFloatDigits(heard.hypotheses[n].rank)) + "\t"
            + heard.hypotheses[n].text + "\n";
    return text;
}

Json asJson(const data::Utterance& utterance, const train::Heard& heard, bool isSearch)
{
    Json entry { { "id", utterance.id }, { "wav", utterance.wav } };
    const bool isHeard = heard.problem.empty();
    entry[isHeard ? "text" : "error"] = isHeard ? heard.text() : heard.problem;
    if (hasText(utterance))
        entry["reference"] = utterance.text;
    for (const train::HeardSegment& segment : heard.segments)
        if (isHeard)
            entry["segments"].push_back({ { "begin_seconds", segment.beginSeconds },
                { "end_seconds", segment.endSeconds }, { "text", segment.text } });
    for (const decode::CtcHypothesis& hypothesis : heard.hypotheses) {
        if (!isSearch || !isHeard) // has neither score nor frames
            break;
        entry["hypotheses"].push_back(
            { { "text", hypothesis.text }, { "score", inFloatDigits(hypothesis.rank) },
                { "acoustic_score", inFloatDigits(hypothesis.score) },
                { "frames", wordsOf(hypothesis, heard.secondsPerFrame) } });
    }
    return entry;
}

} // namespace earwright::cli
