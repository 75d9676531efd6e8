#include "core/settings/corpus.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <iterator>

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

} // namespace

std::string corpusIn(const std::filesystem::path& folder)
{
    if (isFile(folder / "testing_list.txt") && isFile(folder / "validation_list.txt"))
        return "speech-commands";
    if (isFolder(folder / "clips") && isFile(folder / "train.tsv"))
        return "common-voice";
    for (const std::filesystem::path& root : { folder, folder / "data_aishell" })
        if (isFile(root / "transcript" / "aishell_transcript_v0.8.txt"))
            return "aishell1";
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
    const std::string folder = plainText(recipe::find(root, "data_folder"));
    return !(skip && recipe::asBool(*skip).value_or(false)) && !folder.empty()
        && !corpusIn(folder).empty();
}

} // namespace earwright::settings
