#include "core/data/prepare/missing.h"

#include "core/base/file.h"
#include "core/data/prepare/checksums.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/report_file.h"
#include "core/data/prepare/sound_csv.h"
#include "core/data/recipe_data.h"
#include "core/recipe/value_at.h"
#include "core/settings/corpus.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <set>

namespace earwright::data {
namespace {

/// A corpus's split by the recipe's name for it.
constexpr std::pair<const char*, const char*> kCorpusSplits[]
    = { { "train", "train" }, { "valid", "dev" }, { "test", "test" } };

/// A corpus's split and the manifest that is to have it.
using MissingFile = std::pair<std::string, std::filesystem::path>;

/// A recipe that tests on what it validates on names it twice.
std::vector<MissingFile> missingFiles(const recipe::Node& recipe)
{
    std::vector<MissingFile> missing;
    std::set<std::string> paths;
    for (const auto& [split, ofCorpus] : kCorpusSplits) {
        for (const NamedManifest& manifest : manifestsOf(recipe, split)) {
            std::error_code error;
            if (paths.insert(manifest.path).second
                && !std::filesystem::exists(manifest.path, error))
                missing.emplace_back(ofCorpus, manifest.path);
        }
    }
    return missing;
}

std::vector<std::string> stemsOf(const std::vector<MissingFile>& missing)
{
    std::vector<std::string> stems;
    for (const auto& [split, file] : missing)
        stems.push_back(file.stem().string());
    return stems;
}

/// Of a data set of the Hub texts stay as they are, but for People's Speech, whose script makes
/// capitals of them.
ReadCorpusOptions hubOptionsOf(const recipe::Node& recipe, const std::vector<MissingFile>& missing)
{
    ReadCorpusOptions options { .folder = settings::hubFolder(recipe),
        .outFolder = missing.front().second.parent_path(),
        .keepText = true };
    if (const recipe::NodePtr subsets = recipe::find(recipe, "subsets"))
        for (const recipe::NodePtr& subset : subsets->items)
            options.subsets.push_back(settings::plainText(subset));
    else if (const std::string subset = recipe::textAt(recipe, "tls_subset"); !subset.empty())
        options.subsets.push_back(subset);
    options.hasCapitals = recipe::find(recipe, "subsets") != nullptr;
    return options;
}

ReadCorpusOptions optionsOf(const recipe::Node& recipe, const std::vector<MissingFile>& missing)
{
    if (!settings::hubFolder(recipe).empty())
        return hubOptionsOf(recipe, missing);
    const std::string sound = recipe::textAt(recipe, "input_type");
    return { .folder = recipe::textAt(recipe, "data_folder"),
        .outFolder = missing.front().second.parent_path(),
        .cutFolder = recipe::textAt(recipe, "clipped_utt_folder"),
        .manifestFolder = recipe::textAt(recipe, "manifest_folder"),
        .parts = stemsOf(missing),
        .sound = sound == "noisy_wav" ? sound : "clean_wav",
        .shortestSeconds = recipe::doubleAt(recipe, "avoid_if_shorter_than", 1) };
}

/// As upstream's LibriSpeech recipes have it: `train_splits` says which parts are for training.
Status keepTrainSplits(
    const recipe::Node& recipe, const std::vector<MissingFile>& missing, Corpus& corpus)
{
    const bool isMadeOfAll = std::any_of(missing.begin(), missing.end(), [&](const auto& file) {
        return file.first == "train" && !corpus.splits.contains(file.second.stem().string());
    });
    if (!isMadeOfAll || settings::corpusOf(recipe) != "librispeech")
        return Done {};
    const recipe::NodePtr list = recipe::find(recipe, "train_splits");
    std::set<std::string> wanted;
    for (const recipe::NodePtr& item : list ? list->items : std::vector<recipe::NodePtr>())
        wanted.insert(settings::plainText(item));
    if (wanted.empty())
        return Done {};
    const std::filesystem::path root = rootOf(recipe::textAt(recipe, "data_folder"), "LibriSpeech");
    for (const std::string& name : wanted)
        if (!isFolder(root / name))
            return Error { "train_splits names '" + name
                + "', which the corpus in data_folder does not have" };
    std::erase_if(corpus.splits, [&](const auto& part) {
        return groupOf(part.first) == "train" && !wanted.contains(part.first);
    });
    return Done {};
}

bool hasParts(const Corpus& corpus)
{
    return std::any_of(corpus.splits.begin(), corpus.splits.end(), [](const auto& part) {
        return !part.second.empty() && !part.second.front().part.isWhole();
    });
}

/// A manifest with the name of a published part ("dev-clean.csv") is of that part.
Result<std::map<std::string, std::filesystem::path>> named(
    const std::vector<MissingFile>& missing, const Corpus& corpus)
{
    std::map<std::string, std::filesystem::path> files;
    for (const auto& [split, file] : missing) {
        const std::string stem = file.stem().string();
        const std::string& part = corpus.splits.contains(stem) ? stem : split;
        if (const auto [other, isNew] = files.emplace(part, file); !isNew)
            return Error { "manifests " + other->second.string() + " and " + file.string()
                + " would both be the corpus's " + part
                + ": name them as its parts, as in test-clean.csv, or make them with 'earwright "
                  "prepare'" };
    }
    return files;
}

} // namespace

Result<PrepareReport> prepareMissing(
    const recipe::Node& recipe, const GoOn& reading, const GoOn& summing)
{
    const Result<std::vector<std::string>> lists = makeSoundCsvs(recipe);
    if (!lists)
        return lists.error();
    const std::vector<MissingFile> missing = missingFiles(recipe);
    if (missing.empty() || !settings::makesManifests(recipe))
        return PrepareReport();
    const ReadCorpusOptions options = optionsOf(recipe, missing);
    const std::filesystem::path& out = options.outFolder;
    if (const Status allowed = checkFolder(out, {}); !allowed)
        return allowed.error();
    Result<Corpus> corpus = readCorpus(settings::corpusOf(recipe), options, reading);
    if (!corpus)
        return corpus.error();
    if (const Status kept = keepTrainSplits(recipe, missing, *corpus); !kept)
        return kept.error();
    const auto files = named(missing, *corpus);
    if (!files)
        return files.error();
    // Recordings of which parts are taken are years of audio.
    const Status summed = hasParts(*corpus)
        ? Status(Done {})
        : checkSums(*corpus, options.folder, out / "checksums.sha256", summing);
    if (!summed)
        return summed.error();
    Result<PrepareReport> report = writeManifests(*corpus, *files);
    return report ? keepReport(std::move(*report), out, Earlier::Kept) : report;
}

} // namespace earwright::data
