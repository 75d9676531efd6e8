#include "core/data/prepare/aishell1.h"

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/archive.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace earwright::data {
namespace {

using Transcripts = std::map<std::string, std::string>;

Result<Transcripts> readTranscripts(
    const std::filesystem::path& root, bool keepText, Corpus& corpus)
{
    const std::filesystem::path file = root / "transcript" / "aishell_transcript_v0.8.txt";
    const Result<std::string> lines = readText(file);
    if (!lines && isFile(file))
        return lines.error();
    if (!lines)
        return Error { lines.error().message + "; name the folder data_aishell of AISHELL-1" };
    Transcripts texts;
    for (const std::string& line : split(*lines, '\n')) {
        auto [id, text] = idAndRest(line);
        if (!keepText)
            std::erase(text, ' ');
        if (!id.empty() && !texts.try_emplace(id, std::move(text)).second)
            corpus.dropped[kRepeatedId].push_back(id + ", in the transcripts");
    }
    return texts;
}

constexpr const char* kSplits[] = { "train", "dev", "test" };
constexpr std::string_view kArchive = ".tar.gz";

/// The archives of speakers without a folder.
std::vector<std::string> packedIn(const std::filesystem::path& wav)
{
    std::vector<std::string> packed;
    for (const std::filesystem::path& entry : sortedEntries(wav)) {
        const std::string name = entry.filename().string();
        if (!name.ends_with(kArchive))
            continue;
        const std::string speaker = name.substr(0, name.size() - kArchive.size());
        const bool isUnpacked = std::any_of(std::begin(kSplits), std::end(kSplits),
            [&](const char* split) { return isFolder(wav / split / speaker); });
        if (!isUnpacked)
            packed.push_back(name);
    }
    return packed;
}

/// A folder in wav that one process unpacks into, where there are locks: a speaker's folder is
/// there whole or not at all.
class Staging final {
public:
    explicit Staging(const std::filesystem::path& wav)
        : m_path(wav / ".unpacked.earwright.tmp")
    {
        ::mkdir(m_path.c_str(), 0777); // one that a killed process left does as well
        m_folder = Descriptor(::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!m_folder)
            m_reason = systemError();
        else if (tryLock(m_path, m_folder.fd()) == Holder::SomebodyElse)
            m_reason = "another program unpacks them";
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging()
    {
        std::error_code error;
        if (m_reason.empty())
            std::filesystem::remove_all(m_path, error);
    }

    const std::filesystem::path& path() const { return m_path; }
    const std::string& reason() const { return m_reason; } ///< why it cannot be used; "" = it can

private:
    std::filesystem::path m_path;
    Descriptor m_folder;
    std::string m_reason;
};

/// wav/SPLIT/SPEAKER of what was unpacked.
Status moveSpeakers(const std::filesystem::path& from, const std::filesystem::path& wav)
{
    std::error_code error;
    for (const char* split : kSplits)
        for (const std::filesystem::path& speaker : sortedEntries(from / split)) {
            std::filesystem::create_directories(wav / split, error);
            std::filesystem::rename(speaker, wav / split / speaker.filename(), error);
            if (error)
                return Error { "cannot move '" + speaker.string() + "' to '"
                    + (wav / split).string() + "': " + error.message() };
        }
    return Done {};
}

/// As SpeechBrain's prepare_aishell does. What cannot be unpacked at all, in a folder that others
/// own, is told among the dropped.
Status unpackSpeakers(const std::filesystem::path& wav, const GoOn& goOn, Corpus& corpus)
{
    const std::vector<std::string> packed = packedIn(wav);
    if (packed.empty())
        return Done {};
    const Staging staging(wav);
    if (!staging.reason().empty() && !isFolder(wav / "train"))
        return Error { "cannot unpack the speakers' archives in '" + wav.string()
            + "': " + staging.reason() };
    if (!staging.reason().empty()) {
        corpus.dropped["archives in wav that could not be unpacked: " + staging.reason()] = packed;
        return Done {};
    }
    goOn.expect(packed.size());
    for (const std::string& name : packed) {
        if (!goOn())
            return stoppedIn(wav);
        if (Status unpacked = unpack(wav / name, staging.path()); !unpacked)
            return unpacked;
        if (Status moved = moveSpeakers(staging.path(), wav); !moved)
            return moved;
    }
    if (std::vector<std::string> strange = packedIn(wav); !strange.empty())
        corpus.dropped["archives in wav without their speaker's folder"] = std::move(strange);
    return Done {};
}

struct SplitFile {
    std::string split;
    std::filesystem::path wav;
};

std::vector<SplitFile> filesIn(const std::filesystem::path& root)
{
    std::vector<SplitFile> files;
    for (const char* split : kSplits)
        for (const std::filesystem::path& speaker : sortedEntries(root / "wav" / split))
            for (const std::filesystem::path& file : sortedEntries(speaker))
                if (file.extension() == ".wav")
                    files.push_back({ split, file });
    return files;
}

void addFile(
    const SplitFile& file, const Transcripts& texts, std::set<std::string>& ids, Corpus& corpus)
{
    const std::filesystem::path& wav = file.wav;
    const auto text = texts.find(wav.stem().string());
    if (text == texts.end()) {
        corpus.dropped["no transcript"].push_back(wav.stem().string());
        return;
    }
    if (!ids.insert(text->first).second) {
        corpus.dropped[kRepeatedId].push_back(wav.string());
        return;
    }
    Utterance utterance;
    utterance.id = text->first;
    utterance.wav = std::filesystem::absolute(wav).string();
    utterance.speaker = wav.parent_path().filename().string();
    utterance.text = text->second;
    if (utterance.text.empty())
        corpus.dropped["no text"].push_back(utterance.id);
    else
        corpus.add(file.split, std::move(utterance));
}

} // namespace

Result<Corpus> readAishell1(const std::filesystem::path& folder, bool keepText, const GoOn& goOn)
{
    const std::filesystem::path root = rootOf(folder, "data_aishell");
    Corpus corpus;
    corpus.otherFolder = otherRootOf(folder, "data_aishell");
    const Result<Transcripts> texts = readTranscripts(root, keepText, corpus);
    if (!texts)
        return texts.error();
    if (const Status unpacked = unpackSpeakers(root / "wav", goOn, corpus); !unpacked)
        return unpacked.error();
    std::set<std::string> ids;
    const std::vector<SplitFile> files = filesIn(root);
    goOn.expect(files.size());
    for (const SplitFile& file : files) {
        if (!goOn())
            return stoppedIn(root);
        addFile(file, *texts, ids, corpus);
    }
    for (const auto& [id, text] : *texts)
        if (!ids.contains(id))
            corpus.dropped["no audio file"].push_back(id);
    return corpus;
}

} // namespace earwright::data
