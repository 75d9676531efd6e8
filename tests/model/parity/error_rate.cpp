#include "tests/model/parity/runners.h"

#include "core/base/text.h"
#include "core/score/error_rate.h"
#include "core/score/top_errors.h"

#include <cmath>

namespace earwright::tests {

namespace {

using score::Scored;
using Tokens = std::vector<std::string>;

constexpr auto kUpstreams = score::WordSplit::SingleBlanks;

/// Of the cases of sb_edit_distance the first, which upstream summed and sorted too.
constexpr std::ptrdiff_t kNumbered = 12;

/// Alignment as upstream lists it: [operation, index in the reference or null, index in the
/// hypothesis or null].
Json alignmentJson(const Scored& scored)
{
    Json steps = Json::array();
    int reference = 0;
    int hypothesis = 0;
    for (const char operation : scored.operations) {
        Json step { std::string(1, operation), nullptr, nullptr };
        if (operation != 'I')
            step[1] = reference++;
        if (operation != 'D')
            step[2] = hypothesis++;
        steps.push_back(step);
    }
    return steps;
}

/// What the constructor and the tokenisation of a case ask for.
Tokens tokensOf(const std::string& text, const Json& one)
{
    const bool isEmptyList
        = one.at("tokenisation").get<std::string>().find("'' -> []") != std::string::npos;
    if (!one.at("constructor").value("split_tokens", false))
        return text.empty() && isEmptyList ? Tokens {} : score::words(text, kUpstreams);
    Tokens tokens = score::characters(text, kUpstreams);
    if (one.at("constructor").value("space_token", std::string("_")).empty())
        std::erase(tokens, "_");
    return tokens;
}

double percent(int64_t part, int64_t whole)
{
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<int64_t>(1, whole));
}

/// Members of both by the same names; upstream's others stay unread.
void compareMembers(
    const std::string& what, const Json& found, const Finding& expected, Comparison& compare)
{
    for (const auto& [key, value] : found.items())
        compare.equal(what + " " + key, value, expected.at(key).whole());
}

void compareSummary(const std::vector<Scored>& scored, const Finding& expected, Comparison& compare)
{
    const score::ErrorRate sum = score::summarise(scored);
    const Json found { { "WER", sum.percent() }, { "error_rate", sum.percent() },
        { "SER", percent(sum.wrongSentences, sum.sentences) },
        { "num_edits", sum.insertions + sum.deletions + sum.substitutions },
        { "num_scored_tokens", sum.tokens }, { "num_erroneous_sents", sum.wrongSentences },
        { "num_scored_sents", sum.sentences }, { "num_ref_sents", sum.sentences },
        { "num_absent_sents", 0 }, { "insertions", sum.insertions }, { "deletions", sum.deletions },
        { "substitutions", sum.substitutions } };
    compareMembers("summary", found, expected, compare);
}

void compareUtterance(const Scored& scored, const Finding& expected, Comparison& compare)
{
    const Json found { { "key", scored.id }, { "scored", true }, { "hyp_absent", false },
        { "hyp_empty", scored.hypothesis.empty() }, { "num_edits", scored.edits() },
        { "num_ref_tokens", scored.tokens() }, { "WER", scored.percent() },
        { "insertions", scored.insertions }, { "deletions", scored.deletions },
        { "substitutions", scored.substitutions }, { "alignment", alignmentJson(scored) },
        { "ref_tokens", scored.reference }, { "hyp_tokens", scored.hypothesis } };
    compareMembers(scored.id, found, expected, compare);
}

void compareFile(const std::vector<Scored>& scored, const Case& test, Comparison& compare)
{
    compare.equal("wer_txt", score::alignmentText(scored), test.finding("wer_txt").whole());
    compareSummary(scored, test.finding("summary"), compare);
}

void runErrorRate(const Case& test, Comparison& compare)
{
    std::vector<Scored> scored;
    for (const Json& pair : test.json.at("pairs (id, ref, hyp)"))
        scored.push_back(
            score::score(pair[0], tokensOf(pair[1], test.json), tokensOf(pair[2], test.json)));
    compareFile(scored, test, compare);
    const Finding expected = test.finding("scores");
    compare.equal("utterances", scored.size(), expected.size());
    for (size_t i = 0; i < scored.size(); ++i)
        compareUtterance(scored[i], expected.at(i), compare);
}

/// Labels joined and cut at "_".
Tokens merged(const Case& test, const Json& ids, double length)
{
    const auto labels = test.json.at("labels").get<Tokens>();
    const double kept = std::nearbyint(length * static_cast<double>(ids.size()));
    std::string text;
    for (size_t i = 0; i < static_cast<size_t>(kept); ++i)
        text += labels.at(ids[i].get<size_t>());
    return split(text, '_');
}

void runMergedIds(const Case& test, Comparison& compare)
{
    const Json& targets = test.json.at("target");
    std::vector<Scored> scored;
    for (size_t i = 0; i < targets.size(); ++i)
        scored.push_back(score::score("x" + std::to_string(i + 1),
            merged(test, targets[i], test.json.at("target_len")[i].get<double>()),
            merged(test, test.json.at("predict")[i], 1)));
    compareFile(scored, test, compare);
}

/// Operations that do not occur are not counted there.
Json counts(const Scored& scored)
{
    Json found = Json::object();
    const std::pair<const char*, int64_t> kCounts[] = { { "insertions", scored.insertions },
        { "deletions", scored.deletions }, { "substitutions", scored.substitutions } };
    for (const auto& [name, count] : kCounts)
        if (count > 0)
            found[name] = count;
    return found;
}

/// Of the texts that the cases begin with, summed over batches.
void compareAccumulated(
    const std::vector<Scored>& scored, const Finding& expected, Comparison& compare)
{
    const score::ErrorRate sum = score::summarise(
        { scored.begin(), scored.begin() + std::min(kNumbered, std::ssize(scored)) });
    const Json found { { "num_ref_tokens", sum.tokens }, { "insertions", sum.insertions },
        { "deletions", sum.deletions }, { "substitutions", sum.substitutions },
        { "WER", sum.percent() } };
    compareMembers("accumulated", found, expected, compare);
}

/// "utt01"; upstream numbered the texts that the cases begin with.
std::string utteranceId(size_t place)
{
    const std::string number = std::to_string(place + 1);
    return "utt" + std::string(2 - std::min<size_t>(number.size(), 2), '0') + number;
}

void compareTop(const std::vector<const Scored*>& top, const Finding& expected, Comparison& compare)
{
    compare.equal("utterances of the highest rates", top.size(), expected.size());
    for (size_t i = 0; i < std::min(top.size(), expected.size()); ++i)
        compareMembers(top[i]->id, { { "key", top[i]->id }, { "WER", top[i]->percent() } },
            expected.at(i), compare);
}

/// Upstream gave the texts to two speakers in turn.
void compareSpeakers(
    const std::vector<Scored>& scored, const Finding& expected, Comparison& compare)
{
    std::vector<std::string> speakers;
    for (size_t i = 0; i < scored.size(); ++i)
        speakers.emplace_back(i % 2 == 0 ? "spkB" : "spkA");
    const auto rates = score::bySpeaker(scored, speakers);
    compare.equal("speakers", rates.size(), expected.size());
    for (size_t i = 0; i < std::min(rates.size(), expected.size()); ++i) {
        const auto& [speaker, sum] = rates[i];
        const Json found { { "speaker", speaker }, { "insertions", sum.insertions },
            { "dels", sum.deletions }, { "subs", sum.substitutions },
            { "num_scored_tokens", sum.tokens }, { "num_scored_sents", sum.sentences },
            { "num_edits", sum.insertions + sum.deletions + sum.substitutions },
            { "num_erroneous_sents", sum.wrongSentences }, { "num_absent_sents", 0 },
            { "num_ref_sents", 0 }, // upstream never counts them
            { "WER", sum.percent() }, { "SER", percent(sum.wrongSentences, sum.sentences) } };
        compareMembers(speaker, found, expected.at(i), compare);
    }
}

void compareWorst(const std::vector<Scored>& all, const Case& test, Comparison& compare)
{
    const std::vector<Scored> scored(
        all.begin(), all.begin() + std::min(kNumbered, std::ssize(all)));
    const score::TopErrors top = score::topErrors(scored, 5);
    const Finding expected = test.finding("top_wer_utts(5)");
    compareTop(top.heard, expected.at(0), compare);
    compareTop(top.silent, expected.at(1), compare);
    compareSpeakers(scored, test.finding("by_speaker"), compare);
}

void runEditDistance(const Case& test, Comparison& compare)
{
    std::vector<Scored> all;
    for (const Finding& one : test.finding("cases").items()) {
        all.push_back(score::score(
            utteranceId(all.size()), one.at("ref").as<Tokens>(), one.at("hyp").as<Tokens>()));
        const std::string place = "case " + one.key();
        compare.equal(place, alignmentJson(all.back()), one.at("alignment").whole());
        const Json found = counts(all.back());
        compareMembers(place, found, one.at("count_ops"), compare);
        compare.equal(place + "'s kinds", found.size(), one.at("count_ops").whole().size());
    }
    compareAccumulated(all, test.finding("accumulatable"), compare);
    compareWorst(all, test, compare);
}

} // namespace

Runners errorRateRunners()
{
    return { { "speechbrain.utils.metric_stats.ErrorRateStats", runErrorRate },
        { "ErrorRateStats(merge_tokens=True)", runMergedIds },
        { "speechbrain.utils.edit_distance", runEditDistance } };
}

} // namespace earwright::tests
