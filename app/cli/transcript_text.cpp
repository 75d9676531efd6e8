#include "app/cli/transcript_text.h"

#include "core/base/text.h"
#include "core/decode/bootstrap.h"
#include "core/decode/hotword_rate.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace kymo::cli {

namespace {

std::string percent(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

bool isScored(const data::Utterance& utterance, const train::Heard& heard)
{
    return hasText(utterance) && heard.problem.empty();
}

} // namespace

bool hasText(const data::Utterance& utterance)
{
    return !utterance.text.empty();
}

std::string asText(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, bool isList)
{
    std::string text;
    for (size_t i = 0; i < heard.size(); ++i) {
        if (!heard[i].problem.empty())
            continue;
        const auto& hypotheses = heard[i].hypotheses;
        for (size_t n = 0; n < (isList ? hypotheses.size() : 1); ++n)
            text += utterances[i].id + "\t" + (isList ? std::to_string(n + 1) + "\t" : "")
                + (isList ? formatDouble(hypotheses[n].rank) + "\t" : "") + hypotheses[n].text
                + "\n";
    }
    return text;
}

std::string asJson(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, bool isSearch)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (size_t i = 0; i < heard.size(); ++i) {
        nlohmann::ordered_json entry { { "id", utterances[i].id }, { "wav", utterances[i].wav } };
        const bool isHeard = heard[i].problem.empty();
        entry[isHeard ? "text" : "error"] = isHeard ? heard[i].text() : heard[i].problem;
        if (!utterances[i].text.empty())
            entry["reference"] = utterances[i].text;
        for (const decode::CtcHypothesis& hypothesis : heard[i].hypotheses) {
            if (!isSearch || !isHeard) // has neither score nor frames
                break;
            nlohmann::ordered_json words = nlohmann::ordered_json::array();
            for (const decode::WordFrames& word : hypothesis.words)
                words.push_back(
                    { { "word", word.word }, { "begin", word.begin }, { "end", word.end } });
            entry["hypotheses"].push_back(
                { { "text", hypothesis.text }, { "score", hypothesis.rank },
                    { "acoustic_score", hypothesis.score }, { "frames", std::move(words) } });
        }
        list.push_back(std::move(entry));
    }
    // A path may hold any bytes.
    return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<decode::Scored> scoresOf(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, Tokenise tokenise)
{
    std::vector<decode::Scored> scored;
    for (size_t i = 0; i < heard.size(); ++i) {
        if (isScored(utterances[i], heard[i]))
            scored.push_back(decode::score(
                utterances[i].id, tokenise(utterances[i].text), tokenise(heard[i].text())));
    }
    return scored;
}

std::string rateText(const std::vector<decode::Scored>& scored)
{
    const decode::Interval interval = decode::bootstrapInterval(scored);
    return decode::rateLine(decode::summarise(scored)) + "; 95 % interval " + percent(interval.low)
        + " to " + percent(interval.high) + "\n";
}

std::string hotwordText(const std::vector<std::string>& phrases,
    const std::vector<data::Utterance>& utterances, const std::vector<train::Heard>& heard)
{
    decode::HotwordCounter counter(phrases, {});
    for (size_t i = 0; i < heard.size(); ++i) {
        if (isScored(utterances[i], heard[i]))
            counter.add(utterances[i].text, heard[i].text());
    }
    const decode::HotwordCount count = counter.all();
    return "hotwords: recall " + percent(count.recall()) + " %, precision "
        + percent(count.precision()) + " %, F1 " + percent(count.f1()) + " % ("
        + std::to_string(count.spoken) + " spoken, " + std::to_string(count.heard) + " heard, "
        + std::to_string(count.right) + " right)\n";
}

} // namespace kymo::cli
