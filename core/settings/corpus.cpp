#include "core/settings/corpus.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/recipe/value_at.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace earwright::settings {

namespace {

constexpr const char* kHubFolders[] = { "hf_download_folder", "hf_hub", "hf_caching_dir" };
constexpr const char* kFolders[] = { "data_folder", "manifest_folder" };

/// By the names of OpenSLR's archives.
bool isLibriSpeech(const std::filesystem::path& folder)
{
    constexpr const char* kParts[] = { "train-clean-5", "train-clean-100", "train-clean-360",
        "train-other-500", "dev-clean", "dev-clean-2", "dev-other", "test-clean", "test-other" };
    return std::any_of(std::begin(kParts), std::end(kParts),
        [&](const char* part) { return isFolder(folder / part); });
}

/// "7_theo_12.wav"
bool isDigitRecording(const std::filesystem::path& file)
{
    const std::string name = file.stem().string();
    return file.extension() == ".wav" && split(name, '_').size() == 3 && name[0] >= '0'
        && name[0] <= '9' && name[1] == '_';
}

/// The Hub's cache has a file twice: as a blob, to which its name below snapshots is a link. Its
/// hidden folders have locks.
bool hasNoNames(const std::filesystem::path& folder)
{
    const std::string name = folder.filename().string();
    return name == "blobs" || name.starts_with('.');
}

/// It is asked while one types, and a folder may be anybody's home.
bool hasParquet(const std::filesystem::path& folder)
{
    constexpr int kDeepest = 6;
    constexpr int kMostEntries = 10'000;
    if (isFile(folder))
        return folder.extension() == ".parquet";
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    for (int seen = 0; !error && entry != end(entry) && seen < kMostEntries; ++seen) {
        if (entry->path().extension() == ".parquet")
            return true;
        if (entry.depth() >= kDeepest || hasNoNames(entry->path()))
            entry.disable_recursion_pending();
        entry.increment(error);
    }
    return false;
}

/// "" where there is none.
std::filesystem::path hubFolder(const recipe::Node& root)
{
    for (const char* key : kHubFolders) {
        std::filesystem::path folder = plainText(recipe::find(root, key));
        if (hasParquet(folder))
            return folder;
    }
    return {};
}

} // namespace

std::filesystem::path timitIn(const std::filesystem::path& folder)
{
    for (const std::filesystem::path& root : { folder, folder / "TIMIT", folder / "timit" })
        for (const auto& [train, test] :
            { std::pair { "train/dr1", "test/dr1" }, { "TRAIN/DR1", "TEST/DR1" } })
            if (isFolder(root / train) && isFolder(root / test))
                return root;
    return {};
}

std::vector<std::string> libriheavyParts(const std::filesystem::path& lists)
{
    constexpr std::string_view kBegin = "libriheavy_cuts_";
    constexpr std::string_view kEnd = ".jsonl.gz";
    std::error_code error;
    std::vector<std::string> parts;
    for (const auto& entry : std::filesystem::directory_iterator(lists, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kBegin) && name.ends_with(kEnd))
            parts.push_back(name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
    }
    std::sort(parts.begin(), parts.end());
    return parts;
}

FoundCorpus corpusOf(const recipe::Node& root)
{
    if (recipe::boolAt(root, "skip_prep", false))
        return {};
    if (std::filesystem::path hub = hubFolder(root); !hub.empty())
        return { "parquet", std::move(hub) };
    const std::filesystem::path folder = plainText(recipe::find(root, "data_folder"));
    const std::string lists = plainText(recipe::find(root, "manifest_folder"));
    if (!lists.empty() && !libriheavyParts(lists).empty())
        return { "libriheavy", folder };
    return folder.empty() ? FoundCorpus() : FoundCorpus { corpusIn(folder), folder };
}

bool mayMakeManifests(const recipe::Node& root)
{
    const auto isLeftOpen = [&](const char* key) {
        const recipe::NodePtr folder = recipe::find(root, key);
        return folder && isOpen(*folder);
    };
    const bool isAnyOpen = std::any_of(std::begin(kHubFolders), std::end(kHubFolders), isLeftOpen)
        || std::any_of(std::begin(kFolders), std::end(kFolders), isLeftOpen);
    return isAnyOpen ? !recipe::boolAt(root, "skip_prep", false) : !corpusOf(root).name.empty();
}

std::string corpusIn(const std::filesystem::path& folder)
{
    if (isFile(folder / "testing_list.txt") && isFile(folder / "validation_list.txt"))
        return "speech-commands";
    if (isFolder(folder / "clips") && isFile(folder / "train.tsv"))
        return "common-voice";
    for (const std::filesystem::path& root : { folder, folder / "data_aishell" })
        if (isFile(root / "transcript" / "aishell_transcript_v0.8.txt"))
            return "aishell1";
    if (!timitIn(folder).empty())
        return "timit";
    if (isFolder(folder / "train" / "sph") && isFolder(folder / "train" / "stm"))
        return "tedlium2";
    if (isFolder(folder / "trainset_28spk_txt"))
        return "voicebank";
    if (isFile(folder / "train" / "wav.scp"))
        return "kaldi";
    if (isLibriSpeech(folder) || isLibriSpeech(folder / "LibriSpeech"))
        return "librispeech";
    std::error_code error;
    const std::filesystem::directory_iterator recordings(folder / "recordings", error);
    const bool isFsdd = !error
        && std::any_of(begin(recordings), end(recordings),
            [](const auto& entry) { return isDigitRecording(entry.path()); });
    return isFsdd ? "fsdd" : "";
}

} // namespace earwright::settings
