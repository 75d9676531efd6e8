#include "core/data/doctor.h"

#include "core/base/code_point.h"
#include "core/data/other_letters.h"
#include "core/data/probe.h"
#include "core/data/resample.h"
#include "core/data/utterance_labels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace earwright::data {
namespace {

using recipe::Severity;

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f s", seconds);
    return text;
}

/// Collects what is wrong with one utterance after the other.
class Doctor final {
public:
    explicit Doctor(const InspectOptions& options)
        : m_options(options)
    {
        if (options.encoder)
            m_labels.emplace(options.utteranceLabels, *options.encoder);
    }

    void look(const Utterance& utterance, const Result<AudioInfo>& info)
    {
        const int64_t samples = lookAtAudio(utterance, info);
        lookAtText(utterance);
        lookAtTokens(utterance, samples);
    }

    /// `samples`: how long it is, at the model's rate; 0 where that is not known.
    void lookAtTokens(const Utterance& utterance, int64_t samples)
    {
        m_hasLabels = m_hasLabels || !utterance.labels.empty();
        if (m_options.encoder == nullptr)
            return;
        lookAtSpelling(utterance, samples);
        if (const auto tokens = m_labels->tokensOf(utterance); !tokens)
            say(Severity::Error, "data-labels", utterance,
                "cannot be labelled: " + tokens.error().message);
    }

    /// One line for texts that are mostly of other letters; characters without a label are told of
    /// each.
    void lookAtLetters(size_t count, const std::function<std::string(size_t)>& textAt)
    {
        if (m_options.encoder == nullptr || m_countOf.contains("data-unknown-character")
            || !m_options.goOn())
            return;
        const OtherLetters other = otherLetters(count, textAt, *m_options.encoder);
        if (other.areMost())
            m_found.diagnostics.push_back({ Severity::Warning, "data-other-letters",
                "of the transcripts " + other.text(), { m_options.manifestFile, {}, {} }, {}, {} });
    }

    void tellOfNoLabels()
    {
        if (!m_hasLabels && !m_options.utteranceLabels.empty())
            m_found.diagnostics.push_back({ Severity::Warning, "data-labels",
                noneText(m_options.utteranceLabels), { m_options.manifestFile, {}, {} }, {}, {} });
    }

    Inspection finish()
    {
        for (const auto& [rule, count] : m_countOf) {
            if (count > m_options.maxPerRule)
                m_found.diagnostics.push_back({ m_severityOf[rule], rule,
                    std::to_string(count - m_options.maxPerRule) + " more utterances like these",
                    { m_options.manifestFile, {}, {} }, {} });
        }
        return std::move(m_found);
    }

private:
    void say(Severity severity, const std::string& rule, const Utterance& utterance,
        const std::string& what)
    {
        m_severityOf[rule] = severity;
        if (++m_countOf[rule] > m_options.maxPerRule)
            return;
        const recipe::Span span { m_options.manifestFile, { utterance.line, 1 },
            { utterance.line, 1 } };
        m_found.diagnostics.push_back(
            { severity, rule, "utterance '" + utterance.id + "' " + what, span, {} });
    }

    /// Samples at the model's rate; 0 where the file cannot be read.
    int64_t lookAtAudio(const Utterance& utterance, const Result<AudioInfo>& info)
    {
        std::error_code error;
        if (!info && !std::filesystem::exists(utterance.wav, error)) {
            say(Severity::Error, "data-missing-file", utterance,
                "has no audio file '" + utterance.wav
                    + "'; correct the path or data_folder, or remove the line");
            return 0;
        }
        if (!info) {
            say(Severity::Error, "data-bad-audio", utterance,
                "is unusable: " + info.error().message + "; replace the file or remove the line");
            return 0;
        }
        const Result<FramePart> part = framesIn(utterance.part, info->frames, info->sampleRateHz);
        if (!part) {
            say(Severity::Error, "data-bad-audio", utterance,
                "is no part of '" + utterance.wav + "': " + part.error().message
                    + "; correct its start or remove the line");
            return 0;
        }
        count(*info, utterance.part);
        const double seconds = static_cast<double>(part->count) / info->sampleRateHz;
        if (std::abs(seconds - utterance.durationSeconds) > kDurationTolerance * seconds)
            say(Severity::Warning, "data-duration", utterance,
                "lasts " + secondsText(seconds) + ", but the manifest says "
                    + secondsText(utterance.durationSeconds)
                    + "; batches are made by the manifest's duration: correct it");
        return resampledLength(part->count, rateRatio(info->sampleRateHz, m_options.sampleRateHz));
    }

    void count(const AudioInfo& info, const SoundPart& part)
    {
        Conversions& conversions = m_found.conversions;
        conversions.numFiles += 1;
        conversions.numDownmixed += info.channels > 1 && part.channel < 0 ? 1 : 0;
        conversions.numResampled += info.sampleRateHz != m_options.sampleRateHz ? 1 : 0;
        conversions.numByRateHz[info.sampleRateHz] += 1;
    }

    void lookAtText(const Utterance& utterance)
    {
        if (splitAtWhiteSpace(utterance.text).empty())
            say(Severity::Warning, "data-no-text", utterance,
                "has an empty transcript; write it or remove the line");
        else if (const std::string odd = oddWhiteSpace(utterance.text); !odd.empty())
            say(Severity::Warning, "data-white-space", utterance,
                "has " + odd + " in its transcript; write single blanks between words");
    }

    void lookAtSpelling(const Utterance& utterance, int64_t samples)
    {
        const Result<std::vector<int64_t>> tokens = m_options.encoder->encode(utterance.text);
        if (!tokens)
            say(Severity::Error, "data-unknown-character", utterance,
                "cannot be spelt: " + tokens.error().message
                    + "; write the transcript in the characters of the training set, or let the "
                      "encoder have a label for others ('add_unk: True' where it is made of the "
                      "training texts)");
        else if (const auto most = m_options.mostTokens; most && std::ssize(*tokens) > *most)
            say(Severity::Error, "data-long-text", utterance,
                "has a text of " + std::to_string(tokens->size())
                    + " tokens, and the decoder has places for " + std::to_string(*most)
                    + "; shorten the transcript or remove the line");
        else if (samples > 0 && m_options.frameRate)
            lookAtLength(utterance, m_options.frameRate->frames(samples), *tokens);
    }

    void lookAtLength(
        const Utterance& utterance, int64_t frames, const std::vector<int64_t>& tokens)
    {
        const int64_t needed = ctcFramesNeeded(tokens);
        if (frames < needed)
            say(Severity::Warning, "data-too-short", utterance,
                "is too short for its transcript: " + std::to_string(frames)
                    + " frames reach the CTC loss and " + std::to_string(tokens.size())
                    + " characters need " + std::to_string(needed)
                    + ", so it adds nothing to the loss; correct the transcript or subsample less");
    }

    const InspectOptions& m_options;
    Inspection m_found;
    std::map<std::string, size_t> m_countOf; ///< by rule
    std::map<std::string, Severity> m_severityOf;
    std::optional<UtteranceLabels> m_labels; ///< none without an encoder
    bool m_hasLabels = false; ///< some utterance says one itself
};

/// Some utterances at a time: what was found of a million files takes much memory.
Inspection inspectAll(size_t count, const std::function<Utterance(size_t)>& at,
    const std::function<std::string(size_t)>& textAt, const InspectOptions& options)
{
    constexpr size_t kRowsAtOnce = 4096;
    Prober prober(options.goOn);
    Doctor doctor(options);
    std::vector<Utterance> some;
    for (size_t i = 0; i < count; ++i) {
        some.push_back(at(i));
        if (some.size() < kRowsAtOnce && i + 1 < count)
            continue;
        const auto infos = prober.probe(some);
        for (size_t k = 0; k < some.size(); ++k)
            if (infos[k])
                doctor.look(some[k], *infos[k]);
        some.clear();
    }
    doctor.lookAtLetters(count, textAt);
    doctor.tellOfNoLabels();
    return doctor.finish();
}

} // namespace

Inspection inspect(const std::vector<Utterance>& utterances, const InspectOptions& options)
{
    return inspectAll(
        utterances.size(), [&](size_t i) { return utterances[i]; },
        [&](size_t i) { return utterances[i].text; }, options);
}

Inspection inspect(const PackedUtterances& utterances, const InspectOptions& options)
{
    return inspectAll(
        utterances.size(), [&](size_t i) { return utterances.at(i); },
        [&](size_t i) { return utterances.textAt(i); }, options);
}

std::vector<recipe::Diagnostic> inspectTokens(
    const PackedUtterances& utterances, const InspectOptions& options)
{
    Doctor doctor(options);
    for (size_t i = 0; i < utterances.size(); ++i) {
        const Utterance utterance = utterances.at(i);
        doctor.lookAtTokens(utterance,
            std::llround(utterance.durationSeconds * static_cast<double>(options.sampleRateHz)));
    }
    doctor.lookAtLetters(utterances.size(), [&](size_t i) { return utterances.textAt(i); });
    return doctor.finish().diagnostics;
}

std::string reportConversions(const Conversions& conversions, int sampleRateHz)
{
    if (conversions.numDownmixed == 0 && conversions.numResampled == 0)
        return {};
    std::string text = "of " + std::to_string(conversions.numFiles) + " files ";
    if (conversions.numDownmixed > 0)
        text += std::to_string(conversions.numDownmixed) + " are averaged to one channel";
    if (conversions.numResampled == 0)
        return text;
    text += conversions.numDownmixed > 0 ? ", " : "";
    text += std::to_string(conversions.numResampled) + " are resampled to "
        + std::to_string(sampleRateHz) + " Hz from";
    for (const auto& [rateHz, count] : conversions.numByRateHz) {
        if (rateHz != sampleRateHz)
            text += " " + std::to_string(rateHz);
    }
    return text;
}

int64_t ctcFramesNeeded(const std::vector<int64_t>& tokens)
{
    auto needed = static_cast<int64_t>(tokens.size());
    for (size_t i = 1; i < tokens.size(); ++i)
        needed += tokens[i] == tokens[i - 1] ? 1 : 0;
    return needed;
}

} // namespace earwright::data
