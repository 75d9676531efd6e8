#include "core/data/recipe_data.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/catalog/configs/wav_frontend.h"
#include "core/catalog/read.h"
#include "core/check/rule_table.h"
#include "core/data/cmvn.h"
#include "core/data/doctor.h"
#include "core/data/encoder_recipe.h"
#include "core/data/prepare/sound_csv.h"
#include "core/data/repeated_ids.h"
#include "core/data/shared_utterances.h"
#include "core/data/sound_paths.h"
#include "core/data/utterance_labels.h"
#include "core/recipe/value_at.h"
#include "core/settings/augmentations.h"
#include "core/settings/data_settings.h"
#include "core/settings/layer_keys.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/option_paths.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

namespace earwright::data {
namespace {

using recipe::Diagnostic;
using recipe::Severity;

constexpr size_t kMostPerRule = 20;
constexpr size_t kMostNames = 5;

struct Set {
    std::string manifest;
    PackedUtterances utterances {};
    std::set<std::string> speakers {};
};

recipe::Span lineOf(const std::string& file, int line)
{
    return { file, { line, 1 }, { line, 1 } };
}

/// "'train.csv', line 3: …" begins with its place: as a span, and the rest.
Diagnostic unreadable(const std::string& manifest, const std::string& message)
{
    const std::string before = "'" + manifest + "', line ";
    if (!message.starts_with(before))
        return { Severity::Error, "data-manifest", message, { manifest, {}, {} }, {}, {} };
    const size_t colon = message.find(": ", before.size());
    const int line = std::atoi(message.c_str() + before.size());
    return { Severity::Error, "data-manifest", message.substr(colon + 2), lineOf(manifest, line),
        {}, {} };
}

bool reportRepeated(const std::string& manifest, std::vector<Diagnostic>& found)
{
    const std::vector<RepeatedId> repeated = repeatedIds(manifest);
    for (size_t i = 0; i < std::min(repeated.size(), kMostPerRule); ++i)
        found.push_back({ Severity::Error, "data-duplicate-id",
            "the ID '" + repeated[i].id + "' is already on line "
                + std::to_string(repeated[i].firstLine),
            lineOf(manifest, repeated[i].line), {}, {} });
    return !repeated.empty();
}

Result<Set> readSet(const std::string& manifest, const recipe::Node& recipe)
{
    Set set { manifest };
    const auto take = [&](const Utterance& utterance) {
        set.utterances.add(utterance);
        if (!utterance.speaker.empty())
            set.speakers.insert(utterance.speaker);
    };
    settings::DataSettings settings = settings::dataSettings(recipe);
    settings.columns.labels = membersOf(tasks::utteranceLabels(recipe));
    const Status read = eachUtterance(manifest, settings.dataFolder, take, settings.columns);
    if (!read)
        return read.error();
    if (set.utterances.size() == 0)
        return Error { inQuotes(manifest) + " lists no utterance" };
    return set;
}

/// Of all splits those that are there and can be read, each once: recipes test on what they
/// validate on too. What cannot be read is reported.
std::vector<Set> readSets(const recipe::Node& recipe, std::vector<Diagnostic>& found)
{
    std::vector<Set> sets;
    std::set<std::string> known;
    for (const char* split : { "train", "valid", "test" }) {
        for (const NamedManifest& manifest : manifestsOf(recipe, split)) {
            if (!isFile(manifest.path) || !known.insert(manifest.path).second)
                continue;
            Result<Set> set = readSet(manifest.path, recipe);
            if (set)
                sets.push_back(std::move(*set));
            else if (!reportRepeated(manifest.path, found))
                found.push_back(unreadable(manifest.path, set.error().message));
        }
    }
    return sets;
}

using SetsOfSplit = std::vector<const Set*>;

/// Of what is read. Those of two splits may be the same.
SetsOfSplit setsOf(
    const recipe::Node& recipe, const std::string& split, const std::vector<Set>& read)
{
    SetsOfSplit sets;
    for (const NamedManifest& manifest : manifestsOf(recipe, split)) {
        const auto set = std::find_if(read.begin(), read.end(),
            [&](const Set& one) { return one.manifest == manifest.path; });
        if (set != read.end())
            sets.push_back(&*set);
    }
    return sets;
}

/// Why there is no encoder, where the check of the recipe does not say it: that one sees neither
/// what the weights of the start were trained for nor the texts.
void reportNoEncoder(
    const recipe::Node& recipe, const std::string& why, std::vector<Diagnostic>& found)
{
    const EncoderSource source = encoderSource(recipe);
    const std::string type = recipe::textAt(recipe, "token_type");
    const bool isOfPieces = type == "unigram" || type == "bpe";
    const bool isOfLabels = type.empty() || type == "char" || type == "word";
    const bool isContradiction = isOfPieces && !source.isPieces; // label_encoder has none
    const bool isOfStart = source.isOfStart && (source.isPieces || isOfLabels);
    if (const recipe::NodePtr node = isContradiction ? recipe::find(recipe, "token_type")
            : isOfStart                              ? settings::findOption(recipe, "init_param")
                                                     : nullptr)
        found.push_back({ Severity::Error, isOfStart ? "initial-weights" : "option-conflict", why,
            node->span, {}, {} });
}

/// As a run makes it, but that no tokenizer is trained.
std::optional<TextEncoder> encoderOf(
    const recipe::Node& recipe, const SetsOfSplit& train, std::vector<Diagnostic>& found)
{
    size_t count = 0;
    for (const Set* set : train)
        count += set->utterances.size();
    std::vector<std::string> texts;
    texts.reserve(count);
    for (const Set* set : train)
        for (size_t i = 0; i < set->utterances.size(); ++i)
            texts.push_back(set->utterances.textAt(i));
    Result<std::optional<TextEncoder>> made = encoderWithoutTraining(recipe, texts);
    if (!made)
        reportNoEncoder(recipe, made.error().message, found);
    if (!made || !*made)
        return std::nullopt;
    std::optional<TextEncoder> encoder = std::move(*made);
    if (const Status fits = checkNoHotword(*encoder, recipe, texts); !fits)
        found.push_back({ Severity::Error, "argument-range", fits.error().message,
            recipe::find(recipe, "seaco_id")->span, {}, {} });
    return encoder;
}

void inspectCmvn(const recipe::Node& recipe, std::vector<Diagnostic>& found)
{
    const recipe::NodePtr frontend = settings::findLayer(recipe, "frontend");
    const recipe::NodePtr file = frontend ? recipe::find(*frontend, "cmvn_file") : nullptr;
    if (settings::plainText(file).empty() || recipe::isNull(*file))
        return;
    std::vector<Diagnostic> reported; // by the check of the recipe
    const auto config = catalog::readConfig<catalog::WavFrontendConfig>(*frontend, reported);
    if (const auto cmvn = readCmvn(file->text, config.nMels * config.lfrM); !cmvn)
        found.push_back(
            { Severity::Error, "data-manifest", cmvn.error().message, file->span, {}, {} });
}

/// Of an object and, of an Augmenter, of the parts that are not switched off.
void addSoundManifests(const recipe::Node& object, std::vector<recipe::NodePtr>& found)
{
    if (recipe::find(object, "augmentations")) {
        for (const recipe::NodePtr& part : settings::enabledParts(object))
            addSoundManifests(*part, found);
        return;
    }
    const recipe::NodePtr csv = recipe::find(object, "csv_file");
    if (!settings::plainText(csv).empty() && !recipe::isNull(*csv))
        found.push_back(std::make_shared<recipe::Node>(object));
}

void inspectSounds(const recipe::Node& recipe, std::vector<Diagnostic>& found)
{
    const std::vector<SoundCsv> prepared = soundCsvs(recipe);
    for (const recipe::NodePtr& object : soundObjects(recipe)) {
        const recipe::NodePtr csv = recipe::find(*object, "csv_file");
        const auto made = std::find_if(prepared.begin(), prepared.end(),
            [&](const SoundCsv& one) { return one.file == csv->text && !one.isThere(); });
        if (made != prepared.end()) {
            if (const std::string why = made->whyNotMade(); !why.empty())
                found.push_back({ Severity::Error, "data-manifest",
                    inQuotes(csv->text) + " is not there, and " + why, csv->span, {}, {} });
            continue; // the run makes it
        }
        const auto sounds
            = readSoundPaths(csv->text, replacementsOf(recipe::find(*object, "replacements")));
        if (!sounds)
            found.push_back(
                { Severity::Error, "data-manifest", sounds.error().message, csv->span, {}, {} });
    }
}

} // namespace

std::vector<NamedManifest> manifestsOf(const recipe::Node& recipe, const std::string& split)
{
    std::vector<NamedManifest> manifests;
    std::set<std::string> paths;
    for (const std::string& key : settings::manifestKeys(split)) {
        const recipe::NodePtr node = recipe::find(recipe, key);
        if (const std::string path = settings::plainText(node); !path.empty())
            return { { split, path } };
        for (const recipe::NodePtr& item : node ? node->items : std::vector<recipe::NodePtr>())
            if (const std::string path = settings::plainText(item);
                !path.empty() && paths.insert(path).second)
                manifests.push_back({ std::filesystem::path(path).stem().string(), path });
        if (!manifests.empty())
            break;
    }
    if (const std::string path = settings::hubManifest(recipe, split); !path.empty())
        return { { split, path } };
    return manifests;
}

std::vector<recipe::NodePtr> soundObjects(const recipe::Node& recipe)
{
    std::vector<recipe::NodePtr> found;
    for (const char* key : { "wav_augment", "fea_augment", "augmentation" })
        if (const recipe::NodePtr object = recipe::find(recipe, key))
            addSoundManifests(*object, found);
    return found;
}

std::vector<Diagnostic> sharedSpeakers(const std::set<std::string>& train,
    const std::string& trainManifest, const std::set<std::string>& test,
    const std::string& testManifest)
{
    std::vector<std::string> shared;
    std::set_intersection(
        train.begin(), train.end(), test.begin(), test.end(), std::back_inserter(shared));
    if (shared.empty())
        return {};
    std::vector<std::string> shown(shared.begin(),
        shared.begin() + static_cast<std::ptrdiff_t>(std::min(shared.size(), kMostNames)));
    if (shared.size() > kMostNames)
        shown.emplace_back("…");
    return { { Severity::Warning, "data-same-speaker",
        std::to_string(shared.size()) + " of " + std::to_string(test.size()) + " speakers are in '"
            + trainManifest + "' too (" + join(shown, ", ")
            + "): the error rate tells nothing of new speakers",
        lineOf(testManifest, 1), {}, {} } };
}

std::vector<Diagnostic> inspectRecipe(const recipe::Node& recipe)
{
    std::vector<Diagnostic> found;
    const std::vector<Set> read = readSets(recipe, found);
    const SetsOfSplit train = setsOf(recipe, "train", read);
    const SetsOfSplit tests = setsOf(recipe, "test", read);
    SetsOfSplit others = setsOf(recipe, "valid", read);
    for (const Set* test : tests)
        if (std::find(others.begin(), others.end(), test) == others.end())
            others.push_back(test);
    const std::optional<TextEncoder> encoder = encoderOf(recipe, train, found);
    const int rate = settings::dataSettings(recipe).sampleRateHz;
    const auto add = [&found](const std::vector<Diagnostic>& more) {
        found.insert(found.end(), more.begin(), more.end());
    };
    for (const Set& set : read)
        add(inspect(set.utterances,
            { .manifestFile = set.manifest,
                .sampleRateHz = rate,
                .encoder = encoder ? &*encoder : nullptr,
                .frameRate = tasks::frameRate(recipe, rate),
                .mostTokens = tasks::mostTokens(recipe),
                .utteranceLabels = tasks::utteranceLabels(recipe) })
                .diagnostics);
    for (const Set* from : train)
        for (const Set* set : others)
            add(sharedUtterances(from->utterances, from->manifest, set->utterances, set->manifest));
    for (const Set* from : train)
        for (const Set* test : tests)
            add(sharedSpeakers(from->speakers, from->manifest, test->speakers, test->manifest));
    inspectSounds(recipe, found);
    inspectCmvn(recipe, found);
    check::dropDisabledRules(found);
    return found;
}

} // namespace earwright::data
