#include "core/train/loop/data_check.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/doctor.h"
#include "core/data/recipe_data.h"
#include "core/data/shared_utterances.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"
#include "core/train/heartbeat_scope.h"
#include "core/train/weights/kept_files.h"

namespace earwright::train {

void DataCheck::compareData()
{
    m_in.group.runOnMain("checksums of the data", [this]() -> std::string {
        const HeartbeatScope hashing(m_in.group.pulse());
        const std::filesystem::path file = m_in.folder.data();
        const std::vector<data::Fingerprint> now = fingerprints();
        const std::string json = data::fingerprintsToJson(now);
        const Result<std::string> written = readFile(file);
        if (written && *written == json)
            return {};
        const auto before = written ? data::fingerprintsFromJson(*written)
                                    : Result<std::vector<data::Fingerprint>>(written.error());
        if (!before && isFile(file))
            m_in.events.write({ .payload = run::Message { "warning",
                                    "'" + file.string()
                                        + "' cannot be read: whether the data have changed is "
                                          "not known" } });
        const auto former = before ? *before : std::vector<data::Fingerprint>();
        for (const data::Fingerprint& set : now)
            for (const data::Fingerprint& other : former)
                if (other.name == set.name && other.file == set.file)
                    tellChanged(set, data::difference(other, set));
        if (const Status kept = writeFileAtomically(file, json); !kept)
            throw std::runtime_error(kept.error().message);
        return {};
    });
}

void DataCheck::tellChanged(const data::Fingerprint& set, const std::string& how)
{
    if (how.empty())
        return;
    m_hasOtherData = true;
    const std::string place = m_progress.step == 0 ? "from its start"
        : m_progress.batchesDone == 0 ? "from epoch " + std::to_string(m_progress.epoch) + " on"
                                      : "from batch " + std::to_string(m_progress.batchesDone + 1)
            + " of epoch " + std::to_string(m_progress.epoch) + " on";
    m_in.events.write({ .payload = run::Message { "warning",
                            set.name + ": '" + set.file + "' has changed since the run read it: "
                                + how + "; the run takes it as it is now, " + place } });
}

/// Of the sets, and of what augmentations draw from.
std::vector<data::Fingerprint> DataCheck::fingerprints() const
{
    std::vector<data::Fingerprint> all;
    const auto add = [&all](const Split& split) {
        if (split.utterances)
            all.push_back(data::fingerprintOf(split.name, split.manifest, *split.utterances));
    };
    add(m_data.train);
    add(m_data.valid);
    for (const Split& split : m_data.tests)
        add(split);
    for (const recipe::NodePtr& object : data::soundObjects(*m_in.plan.recipe))
        all.push_back(data::fingerprintOf("csv_file", recipe::textAt(*object, "csv_file")));
    return all;
}

Outcome DataCheck::inspectData()
{
    const std::string ended = m_in.group.runOnMain("inspect", [this] {
        for (const Split* split : { &m_data.train, &m_data.valid }) {
            if (split->utterances)
                inspectSplit(*split);
        }
        for (const Split& split : m_data.tests)
            inspectSplit(split);
        if (m_progress.step == 0 || m_hasOtherData) // told once
            tellShared();
        return std::string(m_in.requests.stop() ? "stopped" : "");
    });
    return ended.empty() ? Outcome::Done : Outcome::Stopped;
}

void DataCheck::tellShared()
{
    const HeartbeatScope comparing(m_in.group.pulse());
    const auto tell = [this](const Split& split) {
        for (const recipe::Diagnostic& one : data::sharedUtterances(*m_data.train.utterances,
                 m_data.train.manifest, *split.utterances, split.manifest))
            m_in.events.write(
                { .payload = run::Message { "warning", one.span.file + ": " + one.message } });
    };
    if (m_data.valid.utterances)
        tell(m_data.valid);
    for (const Split& split : m_data.tests)
        tell(split);
}

void DataCheck::inspectSplit(const Split& split)
{
    const int rate = split.loader.sampleRateHz;
    if (split.leftOut > 0)
        m_in.events.write({ .payload = run::Message { "info",
                                split.name + ": " + std::to_string(split.leftOut) + " of "
                                    + std::to_string(split.leftOut + split.utterances->size())
                                    + " utterances are left out by " + split.leftOutBy } });
    if (split.cutShort > 0)
        m_in.events.write(
            { .payload = run::Message { "warning",
                  split.name + ": of " + std::to_string(split.cutShort)
                      + " utterances the model hears the first " + formatNumber(split.heardSeconds)
                      + " s, as in SpeechBrain; avoid_if_longer_than_val_test leaves "
                        "them out" } });
    const HeartbeatScope looking(m_in.group.pulse()); // the letters of all texts
    const data::Inspection found = data::inspect(*split.utterances,
        { .manifestFile = split.manifest,
            .sampleRateHz = rate,
            .encoder = m_data.encoder.get(),
            .frameRate = tasks::frameRate(*m_in.plan.recipe, rate),
            .mostTokens = tasks::mostTokens(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path)),
            .utteranceLabels = split.loader.utteranceLabels,
            .goOn = [this] { return m_control.goOn(); } });
    const std::string conversions = data::reportConversions(found.conversions, rate);
    if (!conversions.empty())
        m_in.events.write({ .payload = run::Message { "info", split.name + ": " + conversions } });
    std::string errors;
    for (const recipe::Diagnostic& diagnostic : found.diagnostics) {
        const std::string text = diagnostic.span.file + ":"
            + std::to_string(diagnostic.span.begin.line) + ": " + diagnostic.message;
        if (diagnostic.severity == recipe::Severity::Error)
            errors += (errors.empty() ? "" : "\n") + text;
        else
            m_in.events.write({ .payload = run::Message { "warning", text } });
    }
    if (!errors.empty())
        throw std::runtime_error(errors);
}

} // namespace earwright::train
