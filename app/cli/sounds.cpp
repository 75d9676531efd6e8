#include "app/cli/sounds.h"

#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/doctor.h"
#include "core/data/sound_manifest.h"
#include "core/data/sound_paths.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;

/// Smaller differences stay: the batches are then those of the run's own test.
bool isWrong(double said, double seconds, double maxSeconds)
{
    return std::abs(seconds - said) > data::kDurationTolerance * seconds
        || (seconds > maxSeconds) != (said > maxSeconds);
}

data::Utterance soundAt(const std::string& path)
{
    data::Utterance utterance;
    utterance.id = path;
    utterance.wav = path;
    return utterance;
}

bool isHidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

/// The sounds of a folder and of its folders, through links as well: corpora are put together by
/// them. Each folder is read once, by its own way rather than by a link's. No link leads to a
/// folder that holds the root, which would bring in all that lies beside it.
class SoundSearch final {
public:
    explicit SoundSearch(const fs::path& root)
        : m_root(root)
    {
    }

    Result<std::vector<std::string>> run()
    {
        Status read = readFolder(m_root);
        for (size_t i = 0; read && i < m_links.size(); ++i)
            if (!holdsRoot(m_links[i]))
                read = readFolder(fs::path(m_links[i])); // a copy: more links may come
        if (!read)
            return read.error();
        std::sort(m_sounds.begin(), m_sounds.end());
        return std::move(m_sounds);
    }

private:
    bool holdsRoot(const fs::path& folder) const
    {
        std::error_code unknown;
        for (fs::path above = fs::canonical(m_root, unknown); above != above.parent_path();
             above = above.parent_path())
            if (fs::equivalent(above, folder, unknown))
                return true;
        return fs::equivalent("/", folder, unknown);
    }

    Status readFolder(const fs::path& folder)
    {
        std::error_code problem;
        const fs::path own = fs::canonical(folder, problem);
        if (!problem && !m_read.insert(own).second)
            return Done {};
        // In their order: of two links to a folder the first names its sounds.
        std::set<fs::path> folders, links;
        fs::directory_iterator entry;
        if (!problem)
            entry = fs::directory_iterator(folder, problem);
        for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
            std::error_code unknown; // of a link to nothing
            if (!entry->is_directory(unknown)) {
                if (data::isSound(entry->path()))
                    m_sounds.push_back(entry->path().string());
            } else if (!isHidden(entry->path())) {
                (entry->is_symlink(unknown) ? links : folders).insert(entry->path());
            }
        }
        if (problem)
            return Error { "cannot read the folder '" + folder.string()
                + "': " + problem.message() };
        m_links.insert(m_links.end(), links.begin(), links.end());
        for (const fs::path& below : folders)
            if (const Status read = readFolder(below); !read)
                return read;
        return Done {};
    }

    fs::path m_root;
    std::set<fs::path> m_read; ///< without links
    std::vector<fs::path> m_links; ///< to folders
    std::vector<std::string> m_sounds;
};

Result<Utterances> soundsIn(const fs::path& folder)
{
    const Result<std::vector<std::string>> paths = SoundSearch(folder).run();
    if (!paths)
        return paths.error();
    if (paths->empty())
        return Error { "the folder '" + folder.string() + "' has no sound in it ("
            + join(data::soundEndings(), " ") + ")" };
    Utterances sounds;
    for (const std::string& path : *paths)
        sounds.push_back(soundAt(path));
    return sounds;
}

/// The corpus that `earwright prepare` makes a manifest of such a list by; "" where it is none.
std::string preparedBy(const fs::path& list)
{
    const std::string ending = toLower(list.extension().string());
    if (ending == ".list" || ending == ".jsonl")
        return "json";
    return ending == ".scp" || list.filename() == "segments" ? "kaldi" : "";
}

/// Utterances of one listed twice would count twice.
Status checkRepeated(const std::vector<std::string>& names)
{
    std::error_code notThere;
    for (auto name = names.begin(); name != names.end(); ++name) {
        const auto same = std::find_if(names.begin(), name, [&](const std::string& former) {
            return data::isManifest(*name) && fs::equivalent(former, *name, notThere);
        });
        if (same != name)
            return Error { "the manifest '" + *name + "' is named twice"
                + (*same == *name ? "" : ", also as '" + *same + "'") + ": name it once" };
    }
    return Done {};
}

Result<Utterances> soundsAt(const std::string& name, const std::string& dataRoot)
{
    const fs::file_status found = fs::status(name);
    if (!fs::exists(found))
        return Error { "there is no file '" + name + "'" };
    if (fs::is_directory(found))
        return soundsIn(name);
    if (!fs::is_regular_file(found)) // a pipe, of which the second opening would wait for ever
        return Error { "cannot read '" + name
            + "', which is neither a file nor a folder: write what comes from it to a file" };
    if (const std::string corpus = preparedBy(name); !corpus.empty())
        return Error { "'" + name + "' is a list of another kind: `earwright prepare " + corpus
            + "` makes a manifest of it" };
    if (data::isManifest(name))
        return data::readSounds(name, dataRoot);
    if (const std::string packed = data::isSound(name) ? "" : whyPacked(name); !packed.empty())
        return Error { inQuotes(name) + " " + packed };
    return Utterances { soundAt(name) };
}

} // namespace

Result<Utterances> soundsOf(const std::vector<std::string>& names, const std::string& dataRoot)
{
    if (const Status once = checkRepeated(names); !once)
        return once.error();
    Utterances all;
    for (const std::string& name : names) {
        Result<Utterances> some = soundsAt(name, dataRoot);
        if (!some)
            return some;
        std::move(some->begin(), some->end(), std::back_inserter(all));
    }
    return all;
}

std::string lookAtSounds(Utterances& sounds, int sampleRateHz, double maxSeconds)
{
    data::Conversions found;
    for (data::Utterance& sound : sounds) {
        const auto info = data::readAudioInfo(sound.wav);
        if (!info || info->sampleRateHz <= 0)
            continue;
        const double seconds = static_cast<double>(info->frames) / info->sampleRateHz;
        if (isWrong(sound.durationSeconds, seconds, maxSeconds))
            sound.durationSeconds = seconds;
        found.numFiles += 1;
        found.numDownmixed += info->channels > 1 ? 1 : 0;
        found.numResampled += info->sampleRateHz != sampleRateHz ? 1 : 0;
        found.numByRateHz[info->sampleRateHz] += 1;
    }
    return data::reportConversions(found, sampleRateHz);
}

} // namespace earwright::cli
