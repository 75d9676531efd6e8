#include "core/settings/corpus.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace earwright::settings {

namespace {

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

bool hasParquet(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != end(entry); entry.increment(error))
        if (entry->path().extension() == ".parquet")
            return true;
    return false;
}

bool isLibriheavy(const std::filesystem::path& lists)
{
    std::error_code error;
    const std::filesystem::directory_iterator entries(lists, error);
    return !error && std::any_of(begin(entries), end(entries), [](const auto& entry) {
        const std::string name = entry.path().filename().string();
        return name.starts_with("libriheavy_cuts_") && name.ends_with(".jsonl.gz");
    });
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

std::filesystem::path hubFolder(const recipe::Node& root)
{
    for (const char* key : { "hf_download_folder", "hf_hub", "hf_caching_dir" }) {
        const std::filesystem::path folder = plainText(recipe::find(root, key));
        if (hasParquet(folder))
            return folder;
    }
    return {};
}

std::string corpusOf(const recipe::Node& root)
{
    if (!hubFolder(root).empty())
        return "parquet";
    const std::string lists = plainText(recipe::find(root, "manifest_folder"));
    if (!lists.empty() && isLibriheavy(lists))
        return "libriheavy";
    const std::string folder = plainText(recipe::find(root, "data_folder"));
    return folder.empty() ? "" : corpusIn(folder);
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

bool makesManifests(const recipe::Node& root)
{
    const recipe::NodePtr skip = recipe::find(root, "skip_prep");
    return !(skip && recipe::asBool(*skip).value_or(false)) && !corpusOf(root).empty();
}

} // namespace earwright::settings
