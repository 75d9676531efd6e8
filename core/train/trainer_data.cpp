#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/audio_cache.h"
#include "core/data/doctor.h"
#include "core/data/fingerprint.h"
#include "core/data/prepare/missing.h"
#include "core/data/recipe_data.h"
#include "core/data/shared_utterances.h"
#include "core/distributed/shared_file.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"
#include "core/train/getting_on.h"
#include "core/train/trainer.h"
#include "core/train/weights/kept_files.h"
#include "core/train/weights/starting_recipe.h"

namespace earwright::train {

namespace {

/// Decoded audio kept by a host's ranks for each split: small sets are read once.
constexpr int64_t kCacheBytes = int64_t(512) << 20;

} // namespace

/// Where the recipe's manifests are not there and its data_folder holds a corpus that is known,
/// rank 0 makes them, as upstream's train scripts do by run_on_main.
void Trainer::makeManifests()
{
    const std::string ended = m_in.group.runOnMain("manifests of the corpus", [this] {
        const auto ask = [this] { return goOn(); };
        const auto tell = [this](const std::string& how) {
            m_in.events.write({ .payload = run::Message { "info", "preparing: " + how } });
        };
        const auto made = data::prepareMissing(*m_in.plan.recipe, data::telling(ask, "read", tell),
            data::telling(ask, "checked", tell));
        if (m_in.requests.stop())
            return std::string("stopped");
        if (!made)
            throw std::runtime_error(made.error().message);
        if (!made->splits.empty())
            m_in.events.write(
                { .payload = run::Message { "info", "manifests were made:\n" + made->text() } });
        return std::string();
    });
    m_stop = !ended.empty();
}

/// A shared folder may show other hosts late what was just prepared.
void Trainer::awaitManifests()
{
    std::vector<std::filesystem::path> files;
    for (const char* split : { "train", "valid", "test" }) {
        for (const data::NamedManifest& manifest : data::manifestsOf(*m_in.plan.recipe, split))
            files.emplace_back(manifest.path);
    }
    distributed::awaitFiles(m_in.group, "manifests", files);
}

Status Trainer::readManifests()
{
    for (const std::string name : { "train", "valid", "test" }) {
        Result<std::vector<Split>> splits = readSplits(m_in.plan, name);
        if (!splits)
            return splits.error();
        for (Split& split : *splits) {
            split.loader.pinMemory = m_in.device.is_cuda();
            split.loader.cache
                = std::make_shared<data::AudioCache>(kCacheBytes / m_in.group.size());
            split.loader.seed = static_cast<uint64_t>(m_in.plan.options.seed);
            if (name == "test")
                m_tests.push_back(std::move(split));
            else
                (name == "train" ? m_train : m_valid) = std::move(split);
        }
    }
    return Done {};
}

Status Trainer::readData()
{
    makeManifests();
    if (m_stop)
        return Done {};
    awaitManifests();
    if (const Status read = readManifests(); !read)
        return read;
    if (!m_train.utterances)
        return Error { "the recipe names no training manifest: set train_csv or train_json" };
    m_train.loader.rank = m_in.group.rank();
    m_train.loader.worldSize = m_in.group.size();

    const std::filesystem::path file = data::encoderFile(*m_in.plan.recipe, m_in.folder.path);
    m_in.group.runOnMain("label encoder", [&] {
        const GettingOn copying(m_in.group.pulse());
        if (!std::filesystem::exists(file))
            makeEncoderFile(file);
        const auto changed = keepFiles(*m_in.plan.recipe, m_in.folder.path);
        if (!changed)
            throw std::runtime_error(changed.error().message);
        for (const std::string& one : *changed)
            m_in.events.write({ .payload = run::Message { "warning", one } });
        return std::string();
    });
    distributed::awaitFiles(m_in.group, "label encoder file", { file });
    Result<data::TextEncoder> encoder = data::loadEncoder(*m_in.plan.recipe, m_in.folder.path);
    if (!encoder)
        return encoder.error();
    m_encoder = std::make_shared<const data::TextEncoder>(std::move(*encoder));
    return readHotwords();
}

void Trainer::makeEncoderFile(const std::filesystem::path& file)
{
    const StartingRecipe starting(*m_in.plan.recipe);
    plan::Plan plan = m_in.plan;
    plan.recipe = starting.recipe();
    const Result<data::MadeEncoder> made = makeEncoder(plan, m_train);
    if (!made)
        throw std::runtime_error(starting.asGiven(made.error().message));
    const Status saved = made->encoder.save(file);
    if (!saved)
        throw std::runtime_error(saved.error().message);
    if (!made->note.empty())
        m_in.events.write({ .payload = run::Message { "info", starting.asGiven(made->note) } });
    const std::string& weights = m_in.plan.options.initParam;
    if (made->isMadeAnew && !weights.empty())
        m_in.events.write(
            { .payload = run::Message { "warning",
                  "the labels that '" + weights
                      + "' was trained for are not known: they are numbered anew by the training "
                        "texts, to which an output layer from there does not fit; name its "
                        "label encoder as label_encoder_file" } });
}

/// What the run was begun with, and each time after a change was told, is in its data.json. Rank 0.
Status Trainer::compareData()
{
    m_in.group.runOnMain("checksums of the data", [this]() -> std::string {
        const GettingOn hashing(m_in.group.pulse());
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
    return Done {};
}

void Trainer::tellChanged(const data::Fingerprint& set, const std::string& how)
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
std::vector<data::Fingerprint> Trainer::fingerprints() const
{
    std::vector<data::Fingerprint> all;
    const auto add = [&all](const Split& split) {
        if (split.utterances)
            all.push_back(data::fingerprintOf(split.name, split.manifest, *split.utterances));
    };
    add(m_train);
    add(m_valid);
    for (const Split& split : m_tests)
        add(split);
    for (const recipe::NodePtr& object : data::soundObjects(*m_in.plan.recipe))
        all.push_back(data::fingerprintOf("csv_file", recipe::textAt(*object, "csv_file")));
    return all;
}

/// Every file is opened once before the first step: a broken one is told now, not hours into an
/// epoch. That takes minutes of a large set, so what is wrong with the model and its weights is
/// told first. Throws what is wrong on every rank.
Status Trainer::inspectData()
{
    const std::string ended = m_in.group.runOnMain("inspect", [this] {
        for (const Split* split : { &m_train, &m_valid }) {
            if (split->utterances)
                inspectSplit(*split);
        }
        for (const Split& split : m_tests)
            inspectSplit(split);
        if (m_progress.step == 0 || m_hasOtherData) // told once
            tellShared();
        return std::string(m_in.requests.stop() ? "stopped" : "");
    });
    m_stop = !ended.empty();
    return Done {};
}

void Trainer::tellShared()
{
    const GettingOn comparing(m_in.group.pulse());
    const auto tell = [this](const Split& split) {
        for (const recipe::Diagnostic& one : data::sharedUtterances(
                 *m_train.utterances, m_train.manifest, *split.utterances, split.manifest))
            m_in.events.write(
                { .payload = run::Message { "warning", one.span.file + ": " + one.message } });
    };
    if (m_valid.utterances)
        tell(m_valid);
    for (const Split& split : m_tests)
        tell(split);
}

void Trainer::inspectSplit(const Split& split)
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
    const GettingOn looking(m_in.group.pulse()); // the letters of all texts
    const data::Inspection found = data::inspect(*split.utterances,
        { .manifestFile = split.manifest,
            .sampleRateHz = rate,
            .encoder = m_encoder.get(),
            .frameRate = tasks::frameRate(*m_in.plan.recipe, rate),
            .mostTokens = tasks::mostTokens(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path)),
            .utteranceLabels = split.loader.utteranceLabels,
            .goOn = [this] { return goOn(); } });
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
