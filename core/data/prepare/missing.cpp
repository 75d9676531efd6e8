#include "core/data/prepare/missing.h"

#include "core/check/corpus.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/report_file.h"
#include "core/data/recipe_data.h"

namespace kymo::data {
namespace {

/// A corpus's split by the recipe's name for it.
constexpr std::pair<const char*, const char*> kSplits[]
    = { { "train", "train" }, { "valid", "dev" }, { "test", "test" } };

std::map<std::string, std::filesystem::path> missingFiles(const recipe::Node& recipe)
{
    std::map<std::string, std::filesystem::path> missing;
    for (const auto& [split, ofCorpus] : kSplits) {
        const std::string file = manifestPath(recipe, split);
        std::error_code error;
        if (!file.empty() && !std::filesystem::exists(file, error))
            missing[ofCorpus] = file;
    }
    return missing;
}

/// A manifest with the name of a published part ("dev-clean.csv") is of that part.
std::map<std::string, std::filesystem::path> named(
    const std::map<std::string, std::filesystem::path>& missing, const Corpus& corpus)
{
    std::map<std::string, std::filesystem::path> files;
    for (const auto& [split, file] : missing) {
        const std::string stem = file.stem().string();
        files[corpus.splits.contains(stem) ? stem : split] = file;
    }
    return files;
}

} // namespace

Result<PrepareReport> prepareMissing(const recipe::Node& recipe, const GoOn& goOn)
{
    const auto missing = missingFiles(recipe);
    if (missing.empty() || !check::makesManifests(recipe))
        return PrepareReport();
    const std::filesystem::path folder = recipe::asString(*recipe::find(recipe, "data_folder"));
    const std::filesystem::path out = missing.begin()->second.parent_path();
    const Result<Corpus> corpus
        = readCorpus(check::corpusIn(folder), { .folder = folder, .outFolder = out }, goOn);
    if (!corpus)
        return corpus.error();
    Result<PrepareReport> report = writeManifests(*corpus, named(missing, *corpus));
    return report ? keepReport(std::move(*report), out, Earlier::Kept) : report;
}

} // namespace kymo::data
