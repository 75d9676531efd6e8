#include "core/data/doctor.h"

#include "core/data/audio.h"

#include <cmath>
#include <filesystem>
#include <utility>

namespace kymo::data {
namespace {

using recipe::Severity;

/// Collects what is wrong with one utterance after the other.
class Doctor final {
public:
    explicit Doctor(const InspectOptions& options)
        : m_options(options)
    {
    }

    void look(const Utterance& utterance)
    {
        const auto [at, isNew] = m_lineOf.emplace(utterance.id, utterance.line);
        if (!isNew)
            say(Severity::Error, "data-same-id", utterance, "has the ID of line " + std::to_string(at->second));
        const int64_t samples = lookAtAudio(utterance);
        lookAtText(utterance, samples);
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
    void say(Severity severity, const std::string& rule, const Utterance& utterance, const std::string& what)
    {
        m_severityOf[rule] = severity;
        if (++m_countOf[rule] > m_options.maxPerRule)
            return;
        const recipe::Span span { m_options.manifestFile, { utterance.line, 1 }, { utterance.line, 1 } };
        m_found.diagnostics.push_back({ severity, rule, "utterance '" + utterance.id + "' " + what, span, {} });
    }

    /// Samples at the model's rate; 0 where the file cannot be read.
    int64_t lookAtAudio(const Utterance& utterance)
    {
        std::error_code error;
        if (!std::filesystem::exists(utterance.wav, error)) {
            say(Severity::Error, "data-missing-file", utterance, "has no file '" + utterance.wav + "'");
            return 0;
        }
        const Result<AudioInfo> info = readAudioInfo(utterance.wav);
        if (!info) {
            say(Severity::Error, "data-bad-audio", utterance, "is unusable: " + info.error().message);
            return 0;
        }
        count(*info);
        const double seconds = static_cast<double>(info->frames) / info->sampleRateHz;
        if (std::abs(seconds - utterance.durationSeconds) > 0.1 * seconds)
            say(Severity::Warning, "data-duration", utterance, "lasts " + std::to_string(seconds)
                    + " s, but the manifest says " + std::to_string(utterance.durationSeconds) + " s");
        return resampledLength(info->frames, rateRatio(info->sampleRateHz, m_options.sampleRateHz));
    }

    void count(const AudioInfo& info)
    {
        Conversions& conversions = m_found.conversions;
        conversions.numFiles += 1;
        conversions.numDownmixed += info.channels > 1 ? 1 : 0;
        conversions.numResampled += info.sampleRateHz != m_options.sampleRateHz ? 1 : 0;
        conversions.numByRateHz[info.sampleRateHz] += 1;
    }

    void lookAtText(const Utterance& utterance, int64_t samples)
    {
        if (utterance.text.empty())
            say(Severity::Warning, "data-no-text", utterance, "has an empty transcript");
        if (m_options.encoder == nullptr)
            return;
        const Result<std::vector<int64_t>> tokens = m_options.encoder->encode(utterance.text);
        if (!tokens) {
            say(Severity::Error, "data-unknown-character", utterance, "cannot be written: " + tokens.error().message);
            return;
        }
        if (samples == 0 || !m_options.framesOf)
            return;
        const int64_t frames = m_options.framesOf(samples);
        const int64_t needed = ctcFramesNeeded(*tokens);
        if (frames < needed)
            say(Severity::Warning, "data-too-short", utterance, "has " + std::to_string(frames)
                    + " frames where its transcript of " + std::to_string(tokens->size()) + " tokens needs "
                    + std::to_string(needed) + "; it adds nothing to the CTC loss");
    }

    const InspectOptions& m_options;
    Inspection m_found;
    std::map<std::string, int> m_lineOf; ///< by ID
    std::map<std::string, size_t> m_countOf; ///< by rule
    std::map<std::string, Severity> m_severityOf;
};

} // namespace

Inspection inspect(const std::vector<Utterance>& utterances, const InspectOptions& options)
{
    Doctor doctor(options);
    for (const Utterance& utterance : utterances)
        doctor.look(utterance);
    return doctor.finish();
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
    text += std::to_string(conversions.numResampled) + " are resampled to " + std::to_string(sampleRateHz) + " Hz from";
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

} // namespace kymo::data
