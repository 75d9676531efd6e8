#include "core/train/weights/kept_files.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/recipe/value_at.h"
#include "core/settings/hotword_file.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"
#include "core/settings/search_setting.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHotwords = "hotword.txt";

struct NamedFile {
    recipe::NodePtr scalar; ///< that names it
    std::string key;
    std::string keptAs; ///< its name in a run
    bool mayBeMissing = false; ///< where a training goes on without it
};

bool isFoundAlready(const std::vector<NamedFile>& found, const recipe::NodePtr& scalar)
{
    return std::any_of(
        found.begin(), found.end(), [&](const NamedFile& file) { return file.scalar == scalar; });
}

/// Language models and n-grams of attention searches; what else is wrong with these the check
/// tells.
void addScorerFiles(const recipe::Node& recipe, std::vector<NamedFile>& found)
{
    size_t models = 0;
    size_t ngrams = 0;
    const auto add = [&](const recipe::NodePtr& scalar, const char* name, size_t& count) {
        if (!scalar || isFoundAlready(found, scalar))
            return;
        const std::string number = ++count > 1 ? "-" + std::to_string(count) : "";
        found.push_back({ scalar, "a scorer of a search", name + number, true });
    };
    const settings::DecodeSettings decode = settings::decodeSettings(recipe);
    for (const settings::ReadSearch& search : decode.searches) {
        for (const settings::LanguageModelSetting& one : search.setting.languageModels)
            add(one.place, "language_model", models);
        if (search.setting.ngram)
            add(search.setting.ngram->place, "kenlm_scorer", ngrams);
    }
}

/// Words are no file; where the run has kept one it was one, even if it is gone.
bool isHotwordFile(const recipe::Node& hotwords, const fs::path& kept)
{
    return hotwords.kind == recipe::Kind::Scalar && !recipe::isNull(hotwords)
        && (settings::namesHotwordFile(recipe::asString(hotwords)) || fs::exists(kept));
}

std::vector<NamedFile> namedFiles(const recipe::Node& recipe, const fs::path& runFolder)
{
    std::vector<NamedFile> found;
    const recipe::NodePtr hotwords = recipe::find(recipe, "hotword");
    if (hotwords && isHotwordFile(*hotwords, runFolder / kHotwords))
        found.push_back({ hotwords, "hotword", kHotwords });
    const recipe::NodePtr ngram = recipe::findPath(recipe, "test_beam_search.kenlm_model_path");
    if (ngram && !recipe::isNull(*ngram))
        found.push_back({ ngram, "test_beam_search.kenlm_model_path", "kenlm_model" });
    std::vector<recipe::Entry> objects = recipe.entries;
    if (const recipe::NodePtr modules = recipe::find(recipe, "modules"))
        objects.insert(objects.end(), modules->entries.begin(), modules->entries.end());
    for (const recipe::Entry& entry : objects) {
        const recipe::NodePtr cmvn = recipe::find(*entry.value, "cmvn_file");
        if (cmvn && !isFoundAlready(found, cmvn) && !recipe::isNull(*cmvn)
            && !recipe::asString(*cmvn).empty())
            found.push_back({ cmvn, "cmvn_file", entry.key->text + "-cmvn_file.mvn" });
    }
    addScorerFiles(recipe, found);
    return found;
}

/// A language model may not fit into memory.
bool haveSameBytes(const fs::path& one, const fs::path& other)
{
    std::error_code problem;
    if (fs::file_size(one, problem) != fs::file_size(other, problem) || problem)
        return false;
    std::ifstream first(one, std::ios::binary);
    std::ifstream second(other, std::ios::binary);
    return first && second
        && std::equal(
            std::istreambuf_iterator<char>(first), {}, std::istreambuf_iterator<char>(second));
}

/// The pretrained model of which the folder's small files are kept; null where there is none. The
/// tokenizer of a Whisper is the run's own encoder file.
recipe::NodePtr keptEncoder(const recipe::Node& recipe)
{
    const recipe::NodePtr object = settings::pretrainedObject(recipe).object;
    return object && recipe::find(*object, "source") ? object : nullptr;
}

Result<fs::path> folderOf(const recipe::Node& encoder)
{
    return settings::findHubFolder(
        recipe::textAt(encoder, "source"), recipe::textAt(encoder, "save_path"));
}

/// Of a folder that is gone what was kept before stays.
Status keepEncoder(
    const recipe::Node& encoder, const fs::path& runFolder, std::vector<std::string>& changed)
{
    const Result<fs::path> folder = folderOf(encoder);
    if (!folder)
        return Done {};
    for (const std::string& name : settings::keptHubFiles()) {
        if (!isFile(*folder / name))
            continue;
        const Result<std::string> text = readFile(*folder / name);
        const Result<std::string> kept = readFile(runFolder / name);
        if (!text)
            return text.error();
        if (kept && *kept == *text)
            continue;
        if (kept)
            changed.push_back(inQuotes((*folder / name).string())
                + " is another file than the run kept; the run takes it from here on");
        if (const Status written = writeFileAtomically(runFolder / name, *text); !written)
            return written;
    }
    return writeFileAtomically(
        runFolder / settings::kKeptSource, recipe::textAt(encoder, "source") + "\n");
}

} // namespace

Result<std::vector<std::string>> keepFiles(const recipe::Node& recipe, const fs::path& runFolder)
{
    std::vector<std::string> changed;
    if (const recipe::NodePtr encoder = keptEncoder(recipe))
        if (const Status kept = keepEncoder(*encoder, runFolder, changed); !kept)
            return kept.error();
    for (const auto& [scalar, key, name, mayBeMissing] : namedFiles(recipe, runFolder)) {
        std::error_code problem;
        const bool isThere = fs::exists(recipe::asString(*scalar), problem);
        if (!isThere && (mayBeMissing || fs::exists(runFolder / name)))
            continue; // a resumed run goes on with its copy
        if (fs::exists(runFolder / name)) {
            if (haveSameBytes(recipe::asString(*scalar), runFolder / name))
                continue;
            changed.push_back(key + ": '" + recipe::asString(*scalar)
                + "' is another file than the run kept; the run takes it from here on");
        }
        const fs::path unfinished = runFolder / (name + ".tmp");
        fs::copy_file(recipe::asString(*scalar), unfinished, fs::copy_options::overwrite_existing,
            problem); // a language model may not fit into memory
        if (problem)
            return Error { key + ": cannot copy '" + recipe::asString(*scalar)
                + "': " + problem.message() };
        if (const Status kept = publishFile(unfinished, runFolder / name); !kept)
            return kept.error();
    }
    return changed;
}

recipe::NodePtr withKeptFiles(const recipe::Node& recipe, const fs::path& runFolder)
{
    recipe::NodePtr kept = recipe::deepCopy(recipe);
    for (const auto& [scalar, key, name, mayBeMissing] : namedFiles(*kept, runFolder)) {
        if (fs::exists(runFolder / name))
            scalar->text = (runFolder / name).string();
    }
    const recipe::NodePtr encoder = keptEncoder(*kept);
    if (encoder && isFile(runFolder / settings::kKeptSource) && !folderOf(*encoder))
        recipe::find(*encoder, "source")->text = runFolder.string();
    return kept;
}

} // namespace earwright::train
