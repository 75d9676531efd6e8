#include "core/settings/manifest_keys.h"

#include "core/base/file.h"
#include "core/recipe/value_at.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace earwright::settings {

namespace {

/// With a value that is still open too: whoever fills it in will name something.
bool isThere(const recipe::Node& root, const char* key)
{
    const recipe::NodePtr node = recipe::find(root, key);
    return node && !recipe::isNull(*node);
}

} // namespace

std::vector<std::string> manifestKeys(const std::string& split)
{
    return { split + "_csv", split + "_json", split + "_annotation", split + "_manifest",
        split + "_data", "csv_" + split };
}

std::string hubManifest(const recipe::Node& root, const std::string& split)
{
    const bool isOfHub = isThere(root, "hf_hub") || isThere(root, "hf_download_folder");
    const std::filesystem::path train = plainText(recipe::find(root, "train_csv"));
    if (!isOfHub || train.empty() || (split != "valid" && split != "test"))
        return {};
    const std::vector<std::string> keys = manifestKeys(split);
    if (std::any_of(keys.begin(), keys.end(),
            [&](const std::string& key) { return isThere(root, key.c_str()); }))
        return {};
    const std::filesystem::path folder = train.parent_path();
    if (split == "test")
        return folder / "test.csv";
    const bool isOfUpstream = !isFile(folder / "dev.csv") && isFile(folder / "validation.csv");
    return folder / (isOfUpstream ? "validation.csv" : "dev.csv");
}

bool trainsOnPhones(const recipe::Node& root)
{
    constexpr const char* kOfTexts[] = { "tokenizer", "label_encoder", "token_type" };
    return isThere(root, "per_stats")
        && std::none_of(std::begin(kOfTexts), std::end(kOfTexts),
            [&](const char* key) { return isThere(root, key); });
}

bool isOfMedia(const recipe::Node& root)
{
    return isThere(root, "concepts_path");
}

bool hasMediaLabels(const recipe::Node& root)
{
    return isOfMedia(root) && isThere(root, "label_encoder") && !isThere(root, "tokenizer")
        && !isThere(root, "token_type");
}

bool hasWholeLabels(const recipe::Node& root)
{
    return trainsOnPhones(root) || hasMediaLabels(root);
}

ManifestColumns manifestColumns(const recipe::Node& root)
{
    ManifestColumns columns;
    if (trainsOnPhones(root))
        columns.text = { "phn", "phones" };
    else if (hasMediaLabels(root))
        columns.text = { "char" };
    else if (plainText(recipe::find(root, "token_type")) == "word")
        columns.text.emplace_back("char");
    const std::string input = plainText(recipe::find(root, "input_type"));
    if (input == "clean_wav" || input == "noisy_wav")
        columns.sound.insert(columns.sound.begin(), input);
    columns.hasParts = !recipe::boolAt(root, "download_with_HF", false);
    return columns;
}

} // namespace earwright::settings
