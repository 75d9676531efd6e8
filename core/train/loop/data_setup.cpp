#include "core/train/loop/data_setup.h"

#include "core/base/text.h"
#include "core/data/audio_cache.h"
#include "core/data/prepare/missing.h"
#include "core/data/recipe_data.h"
#include "core/distributed/shared_file.h"
#include "core/train/heartbeat_scope.h"
#include "core/train/hotword_figure.h"
#include "core/train/task/hotword_list.h"
#include "core/train/weights/kept_files.h"
#include "core/train/weights/starting_recipe.h"

namespace earwright::train {

namespace {

/// Decoded audio kept by a host's ranks for each split: small sets are read once.
constexpr int64_t kCacheBytes = int64_t(512) << 20;

std::vector<std::string> textsOf(const Split& split)
{
    std::vector<std::string> texts;
    for (const data::Utterance& utterance : *split.utterances)
        texts.push_back(utterance.text);
    return texts;
}

} // namespace

Result<Outcome> DataSetup::readData()
{
    if (makeManifests() == Outcome::Stopped)
        return Outcome::Stopped;
    awaitManifests();
    if (const Status read = readManifests(); !read)
        return read.error();
    if (!m_data.train.utterances)
        return Error { "the recipe names no training manifest: set train_csv or train_json" };
    m_data.train.loader.rank = m_in.group.rank();
    m_data.train.loader.worldSize = m_in.group.size();
    if (const Status read = readEncoder(); !read)
        return read.error();
    if (const Status read = readHotwords(); !read)
        return read.error();
    return Outcome::Done;
}

/// Where the recipe's manifests are not there and its data_folder holds a corpus that is known,
/// rank 0 makes them, as upstream's train scripts do by run_on_main.
Outcome DataSetup::makeManifests()
{
    const std::string ended = m_in.group.runOnMain("manifests of the corpus", [this] {
        const auto ask = [this] { return m_control.goOn(); };
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
    return ended.empty() ? Outcome::Done : Outcome::Stopped;
}

/// A shared folder may show other hosts late what was just prepared.
void DataSetup::awaitManifests()
{
    std::vector<std::filesystem::path> files;
    for (const char* split : { "train", "valid", "test" }) {
        for (const data::NamedManifest& manifest : data::manifestsOf(*m_in.plan.recipe, split))
            files.emplace_back(manifest.path);
    }
    distributed::awaitFiles(m_in.group, "manifests", files);
}

Status DataSetup::readManifests()
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
                m_data.tests.push_back(std::move(split));
            else
                (name == "train" ? m_data.train : m_data.valid) = std::move(split);
        }
    }
    return Done {};
}

/// Rank 0 makes its file and copies what else recognising reads.
Status DataSetup::readEncoder()
{
    const std::filesystem::path file = data::encoderFile(*m_in.plan.recipe, m_in.folder.path);
    m_in.group.runOnMain("label encoder", [&] {
        const HeartbeatScope copying(m_in.group.pulse());
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
    m_data.encoder = std::make_shared<const data::TextEncoder>(std::move(*encoder));
    return Done {};
}

void DataSetup::makeEncoderFile(const std::filesystem::path& file)
{
    const StartingRecipe starting(*m_in.plan.recipe);
    plan::Plan plan = m_in.plan;
    plan.setRecipe(starting.recipe(), plan.options);
    const Result<data::MadeEncoder> made = makeEncoder(plan, m_data.train);
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

/// Every rank reads the list, so that a missing one ends the run before its first step.
Status DataSetup::readHotwords()
{
    Result<std::vector<std::string>> phrases
        = recipeHotwords(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path));
    if (!phrases)
        return phrases.error();
    if (m_data.train.loader.hotwords)
        if (const Status sampled
            = data::checkSampling(*m_data.train.loader.hotwords, *m_data.encoder);
            !sampled)
            return sampled;
    const std::string& maxKey = m_in.plan.options.maxKey;
    if (!maxKey.empty() && m_data.valid.utterances)
        if (const std::string why = whyNoFigure(maxKey, *phrases, textsOf(m_data.valid));
            !why.empty())
            return Error { why };
    if (!phrases->empty())
        m_data.hotwords.emplace(*phrases, textsOf(m_data.train));
    if (m_data.hotwords && m_data.valid.utterances)
        tellSpoken();
    return Done {};
}

/// How much the figures of the validation will be worth.
void DataSetup::tellSpoken()
{
    decode::HotwordCounter counter = *m_data.hotwords;
    for (const std::string& text : textsOf(m_data.valid))
        counter.add(text, "");
    const int64_t spoken = counter.all().spoken;
    if (m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "the hotwords are spoken " + std::to_string(spoken)
                                    + " times in the validation, those of no training text "
                                    + std::to_string(counter.unseen().spoken) + " times" } });
}

} // namespace earwright::train
