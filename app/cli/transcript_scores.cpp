#include "app/cli/transcript_scores.h"

#include "core/base/code_point.h"
#include "core/base/file.h"
#include "core/score/bootstrap.h"
#include "core/score/text_scores.h"
#include "core/score/top_errors.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

std::string percent(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

std::string rateText(const std::vector<score::Scored>& scored)
{
    const auto interval = score::bootstrapInterval(scored);
    return score::rateLine(score::summarise(scored))
        + (interval ? "; 95 % interval " + percent(interval->low) + " to " + percent(interval->high)
                    : "; too few errors or utterances for an interval")
        + "\n";
}

Json rateJson(const std::vector<score::Scored>& scored)
{
    const score::ErrorRate sum = score::summarise(scored);
    Json rate { { "percent", sum.percent() },
        { "errors", sum.insertions + sum.deletions + sum.substitutions },
        { "tokens", sum.tokens } };
    if (const auto interval = score::bootstrapInterval(scored)) {
        rate["low"] = interval->low;
        rate["high"] = interval->high;
    }
    return rate;
}

std::string hotwordText(const std::string& which, const decode::HotwordCount& count)
{
    if (count.spoken == 0)
        return which + ": none spoken (" + std::to_string(count.heard) + " heard)\n";
    return which + ": recall " + percent(count.recall()) + " %, precision "
        + percent(count.precision()) + " %, F1 " + percent(count.f1()) + " % ("
        + std::to_string(count.spoken) + " spoken, " + std::to_string(count.heard) + " heard, "
        + std::to_string(count.right) + " right)\n";
}

Json hotwordJson(const decode::HotwordCount& count)
{
    Json entry { { "spoken", count.spoken }, { "heard", count.heard }, { "right", count.right } };
    for (const auto& [figure, value] : count.figures())
        entry[figure] = value;
    return entry;
}

} // namespace

bool hasText(const data::Utterance& utterance)
{
    return utterance.line > 0;
}

std::filesystem::path alignmentsByCharacter(const std::filesystem::path& file)
{
    return file.parent_path() / (file.stem().string() + "-characters" + file.extension().string());
}

TranscriptScores::TranscriptScores(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, const Scoring& scoring, const CountedHotwords& hotwords)
    : m_knowsTraining(hotwords.trainTexts)
{
    std::vector<score::TextPair> pairs;
    std::vector<score::TextPair> scored;
    for (size_t i = 0; i < heard.size(); ++i) {
        if (!hasText(utterances[i]) || !heard[i].problem.empty())
            continue;
        const score::TextPair& pair = pairs.emplace_back(
            score::TextPair { utterances[i].id, utterances[i].text, heard[i].text() });
        scored.push_back(
            { pair.id, scoring.scored(pair.reference), scoring.scored(pair.hypothesis) });
        m_speakers.push_back(utterances[i].speaker);
    }
    if (std::all_of(pairs.begin(), pairs.end(),
            [](const score::TextPair& pair) { return splitAtWhiteSpace(pair.reference).empty(); }))
        return; // a manifest that nobody wrote down yet
    score::TextScores scores = score::scoreTexts(scored, scoring.wordSplit);
    m_byCharacter = std::move(scores.byCharacter);
    if (scores.haveWords)
        m_byWord = std::move(scores.byWord);
    if (hotwords.phrases.empty())
        return;
    m_hotwords.emplace(hotwords.phrases, hotwords.trainTexts.value_or(std::vector<std::string>()));
    for (const score::TextPair& pair : pairs)
        m_hotwords->add(pair.reference, pair.hypothesis);
}

std::string TranscriptScores::text() const
{
    if (isEmpty())
        return {};
    std::string text = m_byWord.empty() ? "" : rateText(m_byWord);
    text += "by character: " + rateText(m_byCharacter);
    if (m_hotwords)
        text += hotwordText("hotwords", m_hotwords->all());
    if (m_hotwords && m_knowsTraining && m_hotwords->hasUnseen())
        text += hotwordText("hotwords of no training text", m_hotwords->unseen());
    return text;
}

Json TranscriptScores::json() const
{
    Json scores;
    if (!m_byWord.empty())
        scores["WER"] = rateJson(m_byWord);
    scores["CER"] = rateJson(m_byCharacter);
    if (m_hotwords)
        scores["hotwords"] = hotwordJson(m_hotwords->all());
    if (m_hotwords && m_knowsTraining && m_hotwords->hasUnseen())
        scores["unseen_hotwords"] = hotwordJson(m_hotwords->unseen());
    return scores;
}

Status TranscriptScores::writeAlignments(const std::filesystem::path& file) const
{
    if (m_byWord.empty())
        return writeFileAtomically(file, score::alignmentText(m_byCharacter));
    const Status written = writeFileAtomically(file, score::alignmentText(m_byWord));
    return written
        ? writeFileAtomically(alignmentsByCharacter(file), score::alignmentText(m_byCharacter))
        : written;
}

std::string TranscriptScores::topErrors(int64_t most) const
{
    return score::topErrorText(
        m_byWord.empty() ? m_byCharacter : m_byWord, m_speakers, static_cast<size_t>(most));
}

} // namespace earwright::cli
