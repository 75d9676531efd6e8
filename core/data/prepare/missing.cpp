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

std::vector<std::string> textsIn(const recipe::NodePtr& list)
{
    std::vector<std::string> texts;
    for (const recipe::NodePtr& item : list ? list->items : std::vector<recipe::NodePtr>())
        texts.push_back(settings::plainText(item));
    return texts;
}

/// Those of the corpus that begin so.
std::vector<std::string> partsOf(const std::string& group, const std::filesystem::path& root)
{
    std::vector<std::string> parts;
    for (const std::filesystem::path& part : sortedEntries(root))
        if (groupOf(part.filename().string()) == group)
            parts.push_back(part.filename().string());
    return parts;
}

/// The manifest for training is made of all parts for it that are read.
Status fitTrainSplits(const std::vector<std::string>& forTraining,
    const std::vector<std::string>& parts, const std::filesystem::path& root)
{
    for (const std::string& name : forTraining)
        if (!isFolder(root / name))
            return Error { "train_splits names '" + name
                + "', which the corpus in data_folder does not have" };
    for (const std::string& part : parts)
        if (groupOf(part) == "train"
            && std::find(forTraining.begin(), forTraining.end(), part) == forTraining.end())
            return Error { "a manifest of '" + part
                + "' is wanted beside one of train_splits, which "
                  "does not name it; make them with 'earwright prepare librispeech'" };
    return Done {};
}

/// The parts of LibriSpeech that the manifests are made of. As upstream's recipes have it,
/// `train_splits` says which of them are for training, where the manifest is not named as one.
Result<std::vector<std::string>> librispeechParts(const recipe::Node& recipe,
    const std::vector<MissingFile>& missing, const std::filesystem::path& folder)
{
    const std::filesystem::path root = rootOf(folder, "LibriSpeech");
    const std::vector<std::string> forTraining = textsIn(recipe::find(recipe, "train_splits"));
    bool isOfSplits = false;
    std::vector<std::string> parts;
    for (const auto& [split, file] : missing) {
        const std::string stem = file.stem().string();
        const bool takesSplits = split == "train" && !forTraining.empty();
        const std::vector<std::string> own = isFolder(root / stem) ? std::vector { stem }
            : takesSplits                                          ? forTraining
                                                                   : partsOf(split, root);
        isOfSplits = isOfSplits || (takesSplits && !isFolder(root / stem));
        parts.insert(parts.end(), own.begin(), own.end());
    }
    if (isOfSplits)
        if (const Status fits = fitTrainSplits(forTraining, parts, root); !fits)
            return fits.error();
    return parts;
}

/// Of a data set of the Hub texts stay as they are, but for People's Speech, whose script makes
/// capitals of them.
ReadCorpusOptions hubOptionsOf(const recipe::Node& recipe, const std::vector<MissingFile>& missing,
    const std::filesystem::path& folder)
{
    ReadCorpusOptions options {
        .folder = folder, .outFolder = missing.front().second.parent_path(), .keepText = true
    };
    if (const recipe::NodePtr subsets = recipe::find(recipe, "subsets"))
        options.subsets = textsIn(subsets);
    else if (const std::string subset = recipe::textAt(recipe, "tls_subset"); !subset.empty())
        options.subsets.push_back(subset);
    options.hasCapitals = recipe::find(recipe, "subsets") != nullptr;
    return options;
}

Result<ReadCorpusOptions> optionsOf(const recipe::Node& recipe,
    const std::vector<MissingFile>& missing, const settings::FoundCorpus& corpus)
{
    if (corpus.name == "parquet")
        return hubOptionsOf(recipe, missing, corpus.folder);
    Result<std::vector<std::string>> parts = corpus.name == "librispeech"
        ? librispeechParts(recipe, missing, corpus.folder)
        : Result(stemsOf(missing));
    if (!parts)
        return parts.error();
    const std::string sound = recipe::textAt(recipe, "input_type");
    return ReadCorpusOptions { .folder = corpus.folder,
        .outFolder = missing.front().second.parent_path(),
        .cutFolder = recipe::textAt(recipe, "clipped_utt_folder"),
        .manifestFolder = recipe::textAt(recipe, "manifest_folder"),
        .parts = std::move(*parts),
        .sound = sound == "noisy_wav" ? sound : "clean_wav",
        .shortestSeconds = recipe::doubleAt(recipe, "avoid_if_shorter_than", 1) };
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
    if (const Status made = makeSoundCsvs(recipe); !made)
        return made.error();
    const std::vector<MissingFile> missing = missingFiles(recipe);
    const settings::FoundCorpus known
        = missing.empty() ? settings::FoundCorpus() : settings::corpusOf(recipe);
    if (known.name.empty())
        return PrepareReport();
    const Result<ReadCorpusOptions> options = optionsOf(recipe, missing, known);
    if (!options)
        return options.error();
    const std::filesystem::path& out = options->outFolder;
    if (const Status allowed = checkFolder(out, {}); !allowed)
        return allowed.error();
    Result<Corpus> corpus = readCorpus(known.name, *options, reading);
    if (!corpus)
        return corpus.error();
    const auto files = named(missing, *corpus);
    if (!files)
        return files.error();
    // Recordings of which parts are taken are years of audio.
    const Status summed = hasParts(*corpus)
        ? Status(Done {})
        : checkSums(*corpus, options->folder, out / "checksums.sha256", summing);
    if (!summed)
        return summed.error();
    Result<PrepareReport> report = writeManifests(*corpus, *files);
    return report ? keepReport(std::move(*report), out, Earlier::Kept) : report;
}

} // namespace earwright::data
