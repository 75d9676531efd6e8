#include "core/data/prepare/missing.h"

#include "core/check/corpus.h"
#include "core/data/prepare/fsdd.h"
#include "core/data/prepare/speech_commands.h"
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

} // namespace

Result<PrepareReport> prepareMissing(const recipe::Node& recipe, const GoOn& goOn)
{
    const auto missing = missingFiles(recipe);
    if (missing.empty() || !check::makesManifests(recipe))
        return PrepareReport();
    const std::filesystem::path folder = recipe::asString(*recipe::find(recipe, "data_folder"));
    const Result<Corpus> corpus = check::corpusIn(folder) == "fsdd"
        ? readFsdd(folder, goOn)
        : readSpeechCommands(folder, {}, goOn);
    return corpus ? writeManifests(*corpus, missing) : corpus.error();
}

} // namespace kymo::data
