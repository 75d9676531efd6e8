#include "core/data/prepare/sound_csv.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/data/audio.h"
#include "core/data/csv.h"
#include "core/recipe/value_at.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kPreparation = "speechbrain.augment.preparation.prepare_dataset_from_URL";

/// Gives them in no order, until `take` returns false.
void eachSoundBelow(
    const SoundCsv& csv, const std::function<bool(const std::filesystem::path& sound)>& take)
{
    std::error_code error;
    for (auto entry = std::filesystem::recursive_directory_iterator(csv.folder, error);
         !error && entry != std::filesystem::recursive_directory_iterator();
         entry.increment(error)) {
        const std::filesystem::path& file = entry->path();
        const bool isSound
            = file.extension() == "." + csv.ending && !file.filename().string().starts_with("._");
        if (isSound && !take(file))
            return;
    }
}

bool hasSounds(const SoundCsv& csv)
{
    bool isAny = false;
    eachSoundBelow(csv, [&](const std::filesystem::path&) {
        isAny = true;
        return false;
    });
    return isAny;
}

std::vector<std::filesystem::path> soundsBelow(const SoundCsv& csv)
{
    std::vector<std::filesystem::path> sounds;
    eachSoundBelow(csv, [&](const std::filesystem::path& sound) {
        sounds.push_back(sound);
        return true;
    });
    std::sort(sounds.begin(), sounds.end());
    return sounds;
}

/// The CSV's text; "" where no sound can be read.
std::string soundRows(const SoundCsv& csv)
{
    std::string text;
    const std::vector<std::filesystem::path> sounds = soundsBelow(csv);
    for (size_t i = 0; i < sounds.size(); ++i) {
        const Result<AudioInfo> info = probeAudio(sounds[i]);
        if (!info)
            continue;
        const double seconds = static_cast<double>(info->frames) / info->sampleRateHz;
        text += formatCsvRow({ sounds[i].stem().string() + "_" + std::to_string(i),
            formatDouble(seconds), sounds[i].string(), csv.ending, "" });
    }
    const std::string header = formatCsvRow({ "ID", "duration", "wav", "wav_format", "wav_opts" });
    return text.empty() ? "" : header + text;
}

SoundCsv soundCsvOf(const recipe::Node& preparation)
{
    const recipe::NodePtr longest = recipe::find(preparation, "max_length");
    return { .file = recipe::textAt(preparation, "csv_file"),
        .folder = recipe::textAt(preparation, "dest_folder"),
        .ending = recipe::textAt(preparation, "ext"),
        .url = recipe::textAt(preparation, "URL"),
        .cutsLong = longest && !recipe::isNull(*longest) };
}

} // namespace

bool SoundCsv::isThere() const
{
    return isFile(file);
}

std::string SoundCsv::whyNotMade() const
{
    const std::string where = inQuotes(folder.string());
    if (cutsLong)
        return "max_length, by which upstream cuts the files of " + where
            + " themselves, is not supported: take it out, or write the CSV (ID,duration,wav)";
    if (!hasSounds(*this))
        return "the folder " + where + " has no ." + ending
            + " from which it would be made; nothing is downloaded: unpack " + url + " there";
    return {};
}

std::vector<SoundCsv> soundCsvs(const recipe::Node& recipe)
{
    std::vector<SoundCsv> found;
    for (const recipe::Entry& entry : recipe.entries)
        if (catalog::classOf(*entry.value) == kPreparation)
            if (SoundCsv csv = soundCsvOf(*entry.value); !csv.file.empty())
                found.push_back(std::move(csv));
    return found;
}

Status makeSoundCsvs(const recipe::Node& recipe)
{
    for (const SoundCsv& csv : soundCsvs(recipe)) {
        if (csv.isThere() || !csv.whyNotMade().empty())
            continue; // reading it tells why
        const std::string text = soundRows(csv);
        if (text.empty())
            return Error { "none of the ." + csv.ending + " in " + inQuotes(csv.folder.string())
                + " can be read, of which " + inQuotes(csv.file.string()) + " would be made" };
        std::error_code error;
        if (csv.file.has_parent_path())
            std::filesystem::create_directories(csv.file.parent_path(), error);
        if (const Status written = writeFileAtomically(csv.file, text); !written)
            return written;
    }
    return Done {};
}

} // namespace earwright::data
