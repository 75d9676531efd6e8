#include "core/data/prepare/checksums.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/sum_list.h"
#include "core/data/sound_paths.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace kymo::data {
namespace {

constexpr const char* kShipped[] = { "SHA256SUMS", "sha256sum.txt", "checksums.sha256" };
/// The first line of our own lists; sha256sum passes over it.
constexpr std::string_view kMark = "# by kymo prepare\n";
constexpr unsigned kMaxThreads = 16;

/// A list that cannot be read is empty and has its note.
SumList readSums(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    const Result<std::string> text = readFile(file);
    return text ? parseSums(*text, file, folder) : SumList { {}, text.error().message };
}

bool isOurs(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    return text && text->starts_with(kMark);
}

SumList shippedSums(const std::filesystem::path& folder)
{
    for (const char* name : kShipped)
        if (isFile(folder / name) && !isOurs(folder / name))
            return readSums(folder / name, folder);
    return {};
}

/// `record`, or where another's list has that name, as the corpus's own where manifests are written
/// beside it, "checksums.kymo.sha256".
Result<std::filesystem::path> placeFor(const std::filesystem::path& record)
{
    std::filesystem::path other = record;
    other.replace_extension(".kymo" + record.extension().string());
    for (const std::filesystem::path& place : { record, other })
        if (!isFile(place) || isOurs(place))
            return place;
    return Error { "'" + record.string() + "' and '" + other.string()
        + "' were not written by kymo prepare: name another folder with --out" };
}

/// Relative to the corpus's folder where it lies in it.
std::string nameOf(const std::string& file, const std::filesystem::path& folder)
{
    const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(folder);
    const bool isInside = !relative.empty() && *relative.begin() != "..";
    return isInside ? relative.string() : file;
}

/// Sums of files by path; nothing where `goOn` ended it. What cannot be read has none.
std::optional<Sums> sumsOf(const std::vector<std::string>& files, const GoOn& goOn)
{
    goOn.expect(files.size());
    Sums sums;
    std::mutex guard; // of `sums` and goOn
    std::atomic<size_t> next = 0;
    std::atomic<bool> isStopped = false;
    const auto work = [&] {
        for (size_t i = next++; i < files.size() && !isStopped; i = next++) {
            const Result<std::string> bytes = readFile(files[i]);
            std::string sum = bytes ? sha256Hex(*bytes) : "";
            const std::scoped_lock lock(guard);
            isStopped = isStopped || !goOn();
            sums[files[i]] = std::move(sum);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads); ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
    return isStopped ? std::nullopt : std::optional(std::move(sums));
}

/// A corpus's file: the recording of what was cut from one.
std::string sourceOf(const Corpus& corpus, const std::string& wav)
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
            files.push_back(sourceOf(corpus, utterance.wav));
        }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

/// Whether a file is as a list has it; nothing where the list has it not.
std::optional<bool> isAsListed(const std::string& file, const std::string& sum, const Sums& list)
{
    const auto listed = list.find(std::filesystem::path(file).lexically_normal().string());
    return listed == list.end() ? std::nullopt : std::optional(listed->second == sum);
}

/// Takes the utterances with a damaged file out.
void dropDamaged(Corpus& corpus, const Sums& shipped, const Sums& sums)
{
    for (auto& [split, utterances] : corpus.splits)
        std::erase_if(utterances, [&](const Utterance& utterance) {
            const std::string file = sourceOf(corpus, utterance.wav);
            const bool isDamaged = !isAsListed(file, sums.at(file), shipped).value_or(true);
            if (isDamaged)
                corpus.dropped["audio that differs from the corpus's checksum"].push_back(
                    utterance.id);
            return isDamaged;
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
                nameOf(name, folder));
    }
}

/// Lines of the notes on lists that are not read in full.
void noteUnread(Corpus& corpus, std::initializer_list<const SumList*> lists)
{
    for (const SumList* list : lists)
        if (!list->note.empty())
            corpus.notes.push_back(list->note);
}

std::string textOf(const Sums& sums, const std::filesystem::path& folder)
{
    std::string text(kMark);
    for (const auto& [file, sum] : sums)
        if (!sum.empty())
            text += sum + "  " + nameOf(file, folder) + "\n";
    return text;
}

void noteChanges(Corpus& corpus, const Sums& before, const Sums& sums,
    const std::filesystem::path& folder, const std::filesystem::path& record)
{
    for (const auto& [file, sum] : sums)
        if (!isAsListed(file, sum, before).value_or(true))
            corpus.notes.push_back("'" + nameOf(file, folder) + "' has changed since '"
                + record.string() + "' was written");
}

} // namespace

Status checkSums(Corpus& corpus, const std::filesystem::path& folder,
    const std::filesystem::path& wanted, const GoOn& goOn)
{
    const Result<std::filesystem::path> place = placeFor(wanted);
    if (!place)
        return place.error();
    const std::filesystem::path& record = *place;
    const std::filesystem::path root = std::filesystem::absolute(folder).lexically_normal();
    const SumList shipped = shippedSums(root);
    const SumList before = isFile(record) ? readSums(record, root) : SumList();
    noteUnread(corpus, { &shipped, &before });
    dropAbsent(corpus, shipped.sums, root);
    const std::vector<std::string> files = filesOf(corpus);
    if (files.empty())
        return Done {};
    const std::optional<Sums> sums = sumsOf(files, goOn);
    if (!sums)
        return stoppedIn(folder);
    const auto verified = std::count_if(sums->begin(), sums->end(), [&](const auto& sum) {
        return isAsListed(sum.first, sum.second, shipped.sums).value_or(false);
    });
    dropDamaged(corpus, shipped.sums, *sums);
    noteChanges(corpus, before.sums, *sums, root, record);
    std::error_code error;
    std::filesystem::create_directories(record.parent_path(), error);
    if (Status written = writeFileAtomically(record, textOf(*sums, root)); !written)
        return written;
    corpus.notes.push_back("checksums: " + std::to_string(verified) + " as the corpus has them, "
        + std::to_string(sums->size()) + " recorded in " + record.string());
    return Done {};
}

} // namespace kymo::data
