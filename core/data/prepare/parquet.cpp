#include "core/data/prepare/parquet.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/capital_words.h"
#include "core/data/prepare/cut.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/parquet_rows.h"
#include "core/data/prepare/parts.h"

#include <algorithm>
#include <dlfcn.h>
#include <map>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "earwright_parquet.so"; ///< beside the program

const ParquetColumns& columnNames()
{
    static const ParquetColumns names { .id = { "id", "ID", "audio_id", "segment_id", "uttid" },
        .text = { "text", "sentence", "transcription", "transcript", "normalized_text", "wrd" },
        .speaker = { "speaker_id", "speaker", "spk_id", "client_id" },
        .sound = { "audio", "wav" } };
    return names;
}

Error noReader(const std::string& why)
{
    return { "this build cannot read Parquet (" + why
        + "): run packaging/setup.sh, which installs pyarrow, and build again; or write the sounds "
          "as files and use 'earwright prepare csv'" };
}

/// Arrow is as large as all of Earwright's other libraries: it is loaded where it is wanted.
Result<ReadParquetRows> rowReader()
{
    std::error_code problem;
    const fs::path library = fs::read_symlink("/proc/self/exe", problem).parent_path() / kLibrary;
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded)
        return noReader(fs::exists(library, problem) ? dlerror() : "no '" + library.string() + "'");
    const auto reader = reinterpret_cast<ReadParquetRows>(dlsym(loaded, kReadParquetRows));
    return reader ? Result(reader) : noReader("'" + library.string() + "' is of another version");
}

constexpr int kMostLevels = 32; ///< of folders in each other: a link may lead back up
constexpr size_t kMostFiles = 100'000;
constexpr size_t kMostEntries = 1'000'000; ///< that are looked at

/// Collects a dataset's files, of which the Hub's cache has links.
class ParquetFiles final {
public:
    Status look(const fs::path& folder, int level = 0)
    {
        if (level > kMostLevels)
            return Error { "more than " + std::to_string(kMostLevels)
                + " folders lie in each other in '" + folder.string()
                + "' (does a link lead back up?); name a folder further down" };
        for (const fs::path& entry : sortedEntries(folder)) {
            if (++m_numEntries > kMostEntries || m_files.size() > kMostFiles)
                return Error { "'" + folder.string() + "' is past the " + std::to_string(kMostFiles)
                    + " *.parquet or " + std::to_string(kMostEntries)
                    + " entries that are looked at; name the folder of one dataset" };
            const bool isBelow = isFolder(entry);
            if (!isBelow && entry.extension() == ".parquet")
                m_files.push_back(entry);
            if (const Status looked = isBelow ? look(entry, level + 1) : Status(Done {}); !looked)
                return looked;
        }
        return Done {};
    }
    std::vector<fs::path> take() { return std::move(m_files); }

private:
    size_t m_numEntries = 0;
    std::vector<fs::path> m_files;
};

Result<std::vector<fs::path>> filesIn(const fs::path& folder)
{
    if (isFile(folder))
        return std::vector<fs::path> { folder };
    ParquetFiles files;
    const Status looked = files.look(folder);
    return looked ? Result(files.take()) : looked.error();
}

/// "" where neither its name nor a folder's, up to the dataset's, tells one.
std::string splitIn(const fs::path& file, const fs::path& folder)
{
    std::string split = groupOf(toLower(file.stem().string()));
    for (fs::path above = file.parent_path(); split.empty() && above != folder.parent_path();
         above = above.parent_path()) {
        split = groupOf(toLower(above.filename().string()));
        if (above == above.parent_path())
            break;
    }
    return split;
}

/// By what the file begins with; what the dataset called it says less.
std::string extensionOf(const ParquetRow& row)
{
    constexpr std::pair<const char*, const char*> kBegins[]
        = { { "RIFF", ".wav" }, { "fLaC", ".flac" }, { "OggS", ".ogg" }, { "ID3", ".mp3" },
              { "\xff\xfb", ".mp3" }, { "\xff\xf3", ".mp3" }, { "\xff\xf2", ".mp3" } };
    for (const auto& [begin, extension] : kBegins)
        if (row.sound.starts_with(begin))
            return extension;
    return fs::path(row.path).extension().string();
}

/// Those that training is not to read are left out. An Error where a subset has none.
Status keepSubsets(
    const std::vector<std::string>& subsets, const fs::path& folder, std::vector<fs::path>& files)
{
    std::set<std::string> missing(subsets.begin(), subsets.end());
    std::erase_if(files, [&](const fs::path& file) {
        // By their names: in the Hub's cache they are links that lead out of the folder.
        const fs::path inside = file.lexically_relative(folder);
        const auto subset = std::find_if(inside.begin(), inside.end(), [&](const fs::path& part) {
            return std::find(subsets.begin(), subsets.end(), part.string()) != subsets.end();
        });
        if (subset != inside.end())
            missing.erase(subset->string());
        return !subsets.empty() && subset == inside.end() && splitIn(file, folder) == "train";
    });
    if (missing.empty())
        return Done {};
    return Error { "'" + folder.string() + "' has no folder '" + *missing.begin()
        + "' with *.parquet, a subset that the recipe names" };
}

class ParquetReader final {
public:
    explicit ParquetReader(const ParquetOptions& options)
        : m_options(options)
    {
    }

    Status add(const std::string& split, const ParquetRow& row, const std::string& place)
    {
        Utterance utterance;
        utterance.id = row.id.empty() ? fs::path(row.path).stem().string() : std::string(row.id);
        utterance.speaker = row.speaker;
        if (utterance.id.empty())
            return drop("no ID", place);
        if (const std::string reason = takeText(row.text, utterance.text); !reason.empty())
            return drop(reason, utterance.id);
        if (row.sound.empty())
            return drop("no audio in the dataset", utterance.id);
        const fs::path file = folderOf(split) / fileNameOf(utterance.id, extensionOf(row));
        if (isNameTooLong(file, kAddedByWriting))
            return drop(kNameTooLong, utterance.id);
        if (!m_ids.insert(split + "/" + utterance.id).second)
            return drop(kRepeatedId, utterance.id);
        if (const Status written = writeFileAtomically(file, row.sound); !written)
            return written.error();
        utterance.wav = file.string();
        m_corpus.add(split, std::move(utterance));
        return Done {};
    }

    Corpus take()
    {
        m_corpus.noteWhole();
        splitRest(m_corpus);
        m_corpus.notes.push_back("the dataset's audio was written to '"
            + fs::absolute(m_options.soundsFolder).string() + "'");
        return std::move(m_corpus);
    }

private:
    /// By writeFileAtomically(): ".NAME.earwright-99.tmp".
    static constexpr size_t kAddedByWriting = 18;

    /// Of a split's sounds; it is made.
    const fs::path& folderOf(const std::string& split)
    {
        const auto [folder, isNew] = m_folders.try_emplace(split);
        if (isNew) {
            folder->second = fs::absolute(m_options.soundsFolder / (split.empty() ? "all" : split));
            std::error_code problem; // writing tells
            fs::create_directories(folder->second, problem);
        }
        return folder->second;
    }

    /// Why there is none to learn from; "" = `text` is one.
    std::string takeText(std::string_view written, std::string& text)
    {
        if (trim(written).empty())
            return "no text";
        if (m_options.texts == ParquetTexts::Capitals) {
            const std::optional<std::string> words = capitalWords(written, CapitalDigits::Kept);
            text = words.value_or("");
            return !words ? kUnclearSigns : text.empty() ? "no text" : "";
        }
        if (m_options.texts == ParquetTexts::Kept) {
            countTags(written, m_corpus.tags);
            text = trim(written);
            return "";
        }
        const std::string words = withoutTags(written, m_corpus.tags);
        text = normalizeTranscript(words);
        return hasDigit(words) ? kReadAsWords : text.empty() ? kOnlyTags : "";
    }

    Status drop(const std::string& reason, const std::string& name)
    {
        m_corpus.dropped[reason].push_back(name);
        return Done {};
    }

    const ParquetOptions& m_options;
    Corpus m_corpus;
    std::set<std::string> m_ids; ///< with their splits
    std::map<std::string, fs::path> m_folders; ///< by split
};

} // namespace

Result<Corpus> readParquet(const ParquetOptions& options, const GoOn& goOn)
{
    Result<std::vector<fs::path>> found = filesIn(options.folder);
    if (!found)
        return found.error();
    std::vector<fs::path> files = std::move(*found);
    if (files.empty())
        return Error { "no *.parquet in '" + options.folder.string()
            + "' or below; name the folder of a dataset" };
    if (const Status kept = keepSubsets(options.subsets, options.folder, files); !kept)
        return kept.error();
    const Result<ReadParquetRows> readRows = rowReader();
    if (!readRows)
        return readRows.error();
    ParquetReader reader(options);
    goOn.expect(files.size());
    for (const fs::path& file : files) {
        if (!goOn())
            return stoppedIn(options.folder);
        const std::string split = splitIn(file, options.folder);
        Status added = Done {};
        int64_t number = 0;
        std::string problem;
        (*readRows)(
            file, columnNames(),
            [&](const ParquetRow& row) {
                const std::string place
                    = file.filename().string() + ", row " + std::to_string(++number);
                added = reader.add(split, row, place);
                return static_cast<bool>(added);
            },
            problem);
        if (!added)
            return added.error();
        if (!problem.empty())
            return Error { "'" + file.string() + "' " + problem };
    }
    return reader.take();
}

} // namespace earwright::data
