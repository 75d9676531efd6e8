#include "core/data/prepare/checksums.h"

#include "core/base/earlier_name.h"
#include "core/base/file.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/read_whole.h"
#include "core/data/prepare/sum_list.h"
#include "core/data/sound_paths.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kShipped[] = { "SHA256SUMS", "sha256sum.txt", "checksums.sha256" };
/// The first line of our own lists; sha256sum passes over it.
constexpr std::string_view kMark = "# by earwright prepare\n";
const std::string kEarlierMark = "# by " + kEarlierName + " prepare\n";

/// Lines that are no sums go to the notes; of a list that cannot be read there are none.
Sums readSums(
    const std::filesystem::path& file, const std::filesystem::path& folder, Corpus& corpus)
{
    const Result<std::string> text = readTextFile(file);
    SumList list = text ? parseSums(*text, file, folder) : SumList { {}, text.error().message };
    if (!list.note.empty())
        corpus.notes.push_back(std::move(list.note));
    return std::move(list.sums);
}

bool isOurs(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    return text && (text->starts_with(kMark) || text->starts_with(kEarlierMark));
}

Sums shippedIn(const std::filesystem::path& folder, Corpus& corpus)
{
    for (const char* name : kShipped)
        if (isFile(folder / name) && !isOurs(folder / name))
            return readSums(folder / name, folder, corpus);
    return {};
}

/// Of the folder and of the other that the corpus may be named by.
Sums shippedSums(const std::filesystem::path& folder, Corpus& corpus)
{
    Sums sums = shippedIn(folder, corpus);
    if (!corpus.otherFolder.empty())
        sums.merge(shippedIn(corpus.otherFolder, corpus));
    return sums;
}

std::filesystem::path withName(const std::filesystem::path& record, const std::string& name)
{
    std::filesystem::path other = record;
    other.replace_extension("." + name + record.extension().string());
    return other;
}

/// `record`, or where another's list has that name, as the corpus's own where manifests are written
/// beside it, "checksums.earwright.sha256".
Result<std::filesystem::path> placeFor(const std::filesystem::path& record)
{
    const std::filesystem::path other = withName(record, "earwright");
    for (const std::filesystem::path& place : { record, other })
        if (!isFile(place) || isOurs(place))
            return place;
    return Error { "'" + record.string() + "' and '" + other.string()
        + "' were not written by earwright prepare: name another folder with --out" };
}

/// Relative to the corpus's folder where it lies in it.
std::string nameBelow(const std::string& file, const std::filesystem::path& folder)
{
    const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(folder);
    const bool isInside = !relative.empty() && *relative.begin() != "..";
    return isInside ? relative.string() : file;
}

/// A corpus's file: the recording of what was cut from one.
std::string originalOf(const Corpus& corpus, const std::string& wav)
{
    const auto recording = corpus.recordings.find(wav);
    return recording == corpus.recordings.end() ? wav : recording->second;
}

/// All utterances' and those that they were cut from.
std::vector<std::string> filesOf(const Corpus& corpus)
{
    std::vector<std::string> files;
    for (const auto& [split, utterances] : corpus.splits)
        for (const Utterance& utterance : utterances) {
            files.push_back(utterance.wav);
            files.push_back(originalOf(corpus, utterance.wav));
        }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

/// As a list has it.
std::string normal(const std::string& path)
{
    return std::filesystem::path(path).lexically_normal().string();
}

/// Whether a file is as a list has it; nothing where the list has it not.
std::optional<bool> isAsListed(const std::string& file, const std::string& sum, const Sums& list)
{
    const auto listed = list.find(normal(file));
    return listed == list.end() ? std::nullopt : std::optional(listed->second == sum);
}

/// Takes the utterances with a damaged file out.
void dropDamaged(Corpus& corpus, const Sums& shipped, const WholeFiles& files)
{
    for (auto& [split, utterances] : corpus.splits)
        std::erase_if(utterances, [&](const Utterance& utterance) {
            const std::string path = originalOf(corpus, utterance.wav);
            const auto& [sum, damage] = files.at(path);
            const bool isAnother = !isAsListed(path, sum, shipped).value_or(true);
            if (isAnother)
                corpus.dropped["audio that differs from the corpus's checksum"].push_back(
                    utterance.id);
            else if (!damage.empty())
                corpus.dropped[kUnreadable].push_back(utterance.id + ": " + damage);
            return isAnother || !damage.empty();
        });
}

/// Only of folders that are there: a list may cover archives that nobody has unpacked.
void dropAbsent(Corpus& corpus, const Sums& shipped, const std::filesystem::path& folder)
{
    for (const auto& [name, sum] : shipped) {
        const std::filesystem::path file = name;
        std::error_code error;
        if (isSound(file) && isFolder(file.parent_path()) && !std::filesystem::exists(file, error))
            corpus.dropped["audio of the corpus's checksums that is not there"].push_back(
                nameBelow(name, folder));
    }
}

/// What a record is to say, and which files it says of what they are not.
struct Record {
    Sums sums = {};
    std::vector<std::string> changed = {};
};

/// An earlier sum stays, so that each call tells that the file has changed, and not the first
/// alone. But a file as the corpus's list has it is right, and what was cut just now is our own.
Record recordOf(
    const Corpus& corpus, const WholeFiles& files, const Sums& shipped, const Sums& before)
{
    Record record;
    for (const auto& [path, file] : files) {
        const bool isRight = corpus.recordings.contains(path)
            || isAsListed(path, file.sum, shipped).value_or(false);
        if (!isRight && !isAsListed(path, file.sum, before).value_or(true)) {
            record.changed.push_back(path);
            record.sums[path] = before.at(normal(path));
        } else if (!file.sum.empty() && file.damage.empty()) {
            record.sums[path] = file.sum;
        }
    }
    return record;
}

std::string textOf(const Sums& sums, const std::filesystem::path& folder)
{
    std::string text(kMark);
    for (const auto& [file, sum] : sums)
        text += sum + "  " + nameBelow(file, folder) + "\n";
    return text;
}

void noteChanges(Corpus& corpus, std::vector<std::string> changed,
    const std::filesystem::path& folder, const std::filesystem::path& place)
{
    if (changed.empty())
        return;
    for (std::string& file : changed)
        file = nameBelow(file, folder);
    corpus.notes.push_back("changed since '" + place.string()
        + "' was written: " + countAndNames(changed)
        + "; it keeps the earlier checksums: if these changes are meant, remove it, or their "
          "lines in it");
}

} // namespace

Status checkSums(Corpus& corpus, const std::filesystem::path& folder,
    const std::filesystem::path& wanted, const GoOn& goOn)
{
    const Result<std::filesystem::path> place = placeFor(wanted);
    if (!place)
        return place.error();
    const std::filesystem::path root = std::filesystem::absolute(folder).lexically_normal();
    const Sums shipped = shippedSums(root, corpus);
    const std::filesystem::path earlier = withName(wanted, kEarlierName);
    const std::filesystem::path last
        = !isFile(*place) && isFile(earlier) && isOurs(earlier) ? earlier : *place;
    const Sums before = isFile(last) ? readSums(last, root, corpus) : Sums();
    dropAbsent(corpus, shipped, root);
    const std::vector<std::string> paths = filesOf(corpus);
    if (paths.empty())
        return Done {};
    const std::optional<WholeFiles> files = readWhole(paths, goOn);
    if (!files)
        return stoppedIn(folder);
    const auto verified = std::count_if(files->begin(), files->end(), [&](const auto& file) {
        return isAsListed(file.first, file.second.sum, shipped).value_or(false);
    });
    dropDamaged(corpus, shipped, *files);
    const Record record = recordOf(corpus, *files, shipped, before);
    noteChanges(corpus, record.changed, root, last);
    std::error_code error;
    std::filesystem::create_directories(place->parent_path(), error);
    if (Status written = writeFileAtomically(*place, textOf(record.sums, root)); !written)
        return written;
    if (last != *place) // or it would be believed again once the new one is removed
        std::filesystem::remove(last, error);
    corpus.notes.push_back("checksums: " + std::to_string(verified) + " as the corpus has them, "
        + std::to_string(record.sums.size()) + " recorded in " + place->string());
    return Done {};
}

Status dropDamaged(Corpus& corpus, const std::filesystem::path& folder, const GoOn& goOn)
{
    const std::optional<WholeFiles> files = readWhole(filesOf(corpus), goOn);
    if (!files)
        return stoppedIn(folder);
    dropDamaged(corpus, {}, *files);
    return Done {};
}

} // namespace earwright::data
