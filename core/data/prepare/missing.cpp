#include "core/data/prepare/missing.h"

#include "core/data/prepare/checksums.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/report_file.h"
#include "core/data/recipe_data.h"
#include "core/settings/corpus.h"

namespace earwright::data {
namespace {

/// A corpus's split by the recipe's name for it.
constexpr std::pair<const char*, const char*> kCorpusSplits[]
    = { { "train", "train" }, { "valid", "dev" }, { "test", "test" } };

/// A corpus's split and the manifest that is to have it.
using MissingFile = std::pair<std::string, std::filesystem::path>;

std::vector<MissingFile> missingFiles(const recipe::Node& recipe)
{
    std::vector<MissingFile> missing;
    for (const auto& [split, ofCorpus] : kCorpusSplits) {
        for (const NamedManifest& manifest : manifestsOf(recipe, split)) {
            std::error_code error;
            if (!std::filesystem::exists(manifest.path, error))
                missing.emplace_back(ofCorpus, manifest.path);
        }
    }
    return missing;
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
    const std::vector<MissingFile> missing = missingFiles(recipe);
    if (missing.empty() || !settings::makesManifests(recipe))
        return PrepareReport();
    const std::filesystem::path folder = recipe::asString(*recipe::find(recipe, "data_folder"));
    const std::filesystem::path out = missing.front().second.parent_path();
    if (const Status allowed = checkFolder(out, {}); !allowed)
        return allowed.error();
    Result<Corpus> corpus
        = readCorpus(settings::corpusIn(folder), { .folder = folder, .outFolder = out }, reading);
    if (!corpus)
        return corpus.error();
    const auto files = named(missing, *corpus);
    if (!files)
        return files.error();
    if (const Status summed = checkSums(*corpus, folder, out / "checksums.sha256", summing);
        !summed)
        return summed.error();
    Result<PrepareReport> report = writeManifests(*corpus, *files);
    return report ? keepReport(std::move(*report), out, Earlier::Kept) : report;
}

} // namespace earwright::data
