#include "core/adapter/command_keys.h"

#include "core/adapter/overrides.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace earwright::adapter {

using recipe::Entry;

namespace {

constexpr const char* kSections[] = { "model_conf", "encoder", "encoder_conf", "decoder",
    "decoder_conf", "predictor", "predictor_conf", "frontend", "frontend_conf", "specaug",
    "specaug_conf", "tokenizer", "tokenizer_conf", "ctc_conf", "dataset_conf", "train_conf",
    "optim", "optim_conf", "scheduler", "scheduler_conf" };

struct List {
    std::string_view key;
    const char* manifest;
};

constexpr List kLists[]
    = { { "train_data_set_list", "train_csv" }, { "valid_data_set_list", "valid_csv" } };

struct Told {
    std::string_view key;
    const char* words;
    bool changesTraining = false;
};

constexpr Told kTold[] = {
    { "output_dir", "'earwright train' makes its run there, or in --run-dir" },
    { "device", "write --devices=cpu, cuda or cuda:0,1", true },
    { "ngpu", "write --devices=cpu, cuda or cuda:0,1", true },
    { "hub", "nothing is downloaded" },
    { "model_revision", "nothing is downloaded" },
    { "check_latest", "nothing is downloaded" },
    { "disable_update", "nothing is downloaded" },
    { "trust_remote_code", "no code of a model is run" },
    { "log_level", "every step is logged" },
    { "ncpu", "write --threads_per_rank" },
    { "is_training", "'earwright train' always trains" },
};

/// Those that give what the task's loader gives.
constexpr std::string_view kDatasets[] = { "AudioDataset", "AudioDatasetHotword" };

/// "" where FunASR reads it line by line, as here.
std::string whyNoList(const Entry& entry)
{
    const std::string& file = entry.value->text;
    const std::string ending = toLower(std::filesystem::path(file).extension().string());
    if (entry.value->kind != recipe::Kind::Scalar || file.empty())
        return "it must be the path of one list";
    if (ending == ".jsonl" || ending == ".csv")
        return "";
    return ending == ".json"
        ? "rename " + inQuotes(file)
            + " to end in .jsonl: a .json is read as SpeechBrain's manifest"
        : inQuotes(file) + " may be a list of lists: join them into one .jsonl";
}

void writeList(const Entry& entry, const char* manifest, RecipeText& recipe)
{
    if (const std::string why = whyNoList(entry); !why.empty())
        return recipe.refuse(entry, inQuotes(entry.key->text) + ": " + why);
    recipe.put(manifest, entry.value, recipe.placeOf(entry));
}

void tell(const Entry& entry, const Told& told, RecipeText& recipe)
{
    const std::string message = inQuotes(entry.key->text) + " is not read: " + told.words;
    if (told.changesTraining)
        recipe.refuse(entry, message);
    else
        recipe.leaveOut(entry, message);
}

} // namespace

const Names& commandKeys()
{
    static const Names kKeys = [] {
        Names keys(std::begin(kSections), std::end(kSections));
        keys.emplace_back("dataset");
        for (const List& list : kLists)
            keys.emplace_back(list.key);
        for (const Told& told : kTold)
            keys.emplace_back(told.key);
        return keys;
    }();
    return kKeys;
}

bool writeCommandKey(const Entry& entry, RecipeText& recipe)
{
    const std::string& key = entry.key->text;
    for (const List& list : kLists)
        if (key == list.key) {
            writeList(entry, list.manifest, recipe);
            return true;
        }
    if (key == "dataset") {
        if (std::find(std::begin(kDatasets), std::end(kDatasets), entry.value->text)
            == std::end(kDatasets))
            recipe.refuse(entry, "'dataset' is AudioDataset or AudioDatasetHotword here");
        return true;
    }
    if (overrideOf(entry).empty())
        return false;
    for (const Told& told : kTold)
        if (key == told.key) {
            tell(entry, told, recipe);
            return true;
        }
    return false;
}

} // namespace earwright::adapter
