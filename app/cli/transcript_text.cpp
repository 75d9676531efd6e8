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

Json segmentsOf(const train::Heard& heard)
{
    Json segments = Json::array();
    for (const train::HeardSegment& segment : heard.segments)
        segments.push_back({ { "begin_seconds", segment.beginSeconds },
            { "end_seconds", segment.endSeconds }, { "text", segment.text } });
    return segments;
}

} // namespace

std::string asText(const data::Utterance& utterance, const train::Heard& heard, TextLines lines)
{
    if (!heard.problem.empty())
        return {};
    if (lines == TextLines::Texts)
        return utterance.id + "\t" + heard.text() + "\n";
    std::string text;
    if (lines == TextLines::Segments) {
        for (const train::HeardSegment& segment : heard.segments)
            text += utterance.id + "\t" + formatDouble(segment.beginSeconds) + "\t"
                + formatDouble(segment.endSeconds) + "\t" + segment.text + "\n";
        return text;
    }
    for (size_t n = 0; n < heard.hypotheses.size(); ++n)
        text += utterance.id + "\t" + std::to_string(n + 1) + "\t"
            + formatDouble(inFloatDigits(heard.hypotheses[n].rank)) + "\t"
            + heard.hypotheses[n].text + "\n";
    return text;
}

Json asJson(
    const data::Utterance& utterance, const train::Heard& heard, TextLines lines, bool isSearch)
{
    Json entry { { "id", utterance.id }, { "wav", utterance.wav } };
    const bool isHeard = heard.problem.empty();
    entry[isHeard ? "text" : "error"] = isHeard ? heard.text() : heard.problem;
    if (hasText(utterance))
        entry["reference"] = utterance.text;
    if (isHeard && (lines == TextLines::Segments || !heard.segments.empty()))
        entry["segments"] = segmentsOf(heard);
    for (const decode::CtcHypothesis& hypothesis : heard.hypotheses) {
        if (!isSearch || !isHeard || !heard.isScored) // has neither score nor frames
            break;
        entry["hypotheses"].push_back(
            { { "text", hypothesis.text }, { "score", inFloatDigits(hypothesis.rank) },
                { "acoustic_score", inFloatDigits(hypothesis.score) },
                { "frames", wordsOf(hypothesis, heard.secondsPerFrame) } });
    }
    return entry;
}

} // namespace earwright::cli
