#include "core/train/kept_files.h"

#include "core/base/file.h"

#include <utility>
#include <vector>

namespace kymo::train {

namespace {

namespace fs = std::filesystem;

/// The scalars of a recipe that name such a file, and under which name a run keeps it.
std::vector<std::pair<recipe::NodePtr, std::string>> namedFiles(const recipe::Node& recipe)
{
    std::vector<std::pair<recipe::NodePtr, std::string>> found;
    const recipe::NodePtr hotwords = recipe::find(recipe, "hotword");
    if (hotwords && recipe::asString(*hotwords).ends_with(".txt")) // else they are words themselves
        found.emplace_back(hotwords, "hotword.txt");
    for (const recipe::Entry& entry : recipe.entries) {
        const recipe::NodePtr cmvn = recipe::find(*entry.value, "cmvn_file");
        if (cmvn && !recipe::isNull(*cmvn) && !recipe::asString(*cmvn).empty())
            found.emplace_back(cmvn, entry.key->text + "-cmvn_file.mvn");
    }
    return found;
}

} // namespace

Status keepFiles(const recipe::Node& recipe, const fs::path& runFolder)
{
    for (const auto& [file, name] : namedFiles(recipe)) {
        const Result<std::string> bytes = readFile(recipe::asString(*file));
        if (!bytes)
            return bytes.error();
        if (const Status kept = writeFileAtomically(runFolder / name, *bytes); !kept)
            return kept;
    }
    return Done {};
}

recipe::NodePtr withKeptFiles(const recipe::Node& recipe, const fs::path& runFolder)
{
    recipe::NodePtr kept = recipe::deepCopy(recipe);
    for (const auto& [file, name] : namedFiles(*kept)) {
        if (fs::exists(runFolder / name))
            file->text = (runFolder / name).string();
    }
    return kept;
}

} // namespace kymo::train
