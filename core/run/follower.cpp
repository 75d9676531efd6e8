#include "core/run/follower.h"

#include "core/run/event_log.h"
#include "core/run/history_file.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace earwright::run {
namespace {

constexpr size_t kFoldedBytes = 1u << 20; ///< bounds the memory that opening a long run takes
constexpr uint64_t kMinHistoryBytes = 4u << 20; ///< of event files: fewer are folded at once
constexpr uint64_t kHistoryGrowth = 8; ///< what is left to fold is at most so small a part

/// One rank's events, read ahead by a chunk.
struct Stream {
    EventReader reader;
    std::vector<Event> events;
    size_t next = 0;

    bool isEmpty() const { return next == events.size(); }
    const Event& front() const { return events[next]; }
};

/// "supervisor" -> -1, "rank3" -> 3; nothing for other names.
std::optional<int64_t> rankOfFolder(const std::string& name)
{
    constexpr std::string_view kPrefix = "rank";
    if (name == "supervisor")
        return -1;
    int64_t rank = -1;
    if (name.starts_with(kPrefix))
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), rank);
    return rank >= 0 ? std::optional(rank) : std::nullopt;
}

uint64_t bytesIn(const LogPositions& positions)
{
    uint64_t bytes = 0;
    for (const auto& [rank, files] : positions) {
        for (const LogPosition& position : files)
            bytes += static_cast<uint64_t>(position.offset);
    }
    return bytes;
}

/// One stream a rank, each where it was left; nothing where the event files are not what they were.
std::optional<std::map<int64_t, Stream>> streamsAt(
    const RunFolder& folder, const LogPositions& positions)
{
    std::map<int64_t, Stream> streams;
    for (const auto& [rank, files] : positions) {
        Stream& stream = streams.emplace(rank, Stream { EventReader(folder.events(rank)), {}, 0 })
                             .first->second;
        if (!stream.reader.seek(files))
            return std::nullopt;
    }
    return streams;
}

} // namespace

struct Follower::State {
    RunFolder folder;
    Snapshot snapshot;
    earwright::run::State folded = earwright::run::State::Unknown; ///< what the events alone say
    std::map<int64_t, Stream> streams; ///< by rank
    std::string problem; ///< to be told at the end of this poll
    bool isOpen = false;
    uint64_t inHistory = 0; ///< bytes of the event files that history.bin covers
    uint64_t keptBytes = 0; ///< of those read here

    void openHistory();
    void keepHistory();
    std::optional<LogPositions> positions() const;
    uint64_t bytesRead() const;
    void findStreams();
    void refill(Stream& stream);
    Stream* oldest(int64_t& rank);
    bool foldNew();
    bool foldTornTails();
};

void Follower::State::findStreams()
{
    std::error_code error;
    std::filesystem::directory_iterator entry(folder.path / "events", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::optional<int64_t> rank = rankOfFolder(entry->path().filename().string());
        if (rank && !streams.contains(*rank))
            streams.emplace(*rank, Stream { EventReader(entry->path()), {}, 0 });
    }
}

void Follower::State::refill(Stream& stream)
{
    Result<std::vector<Event>> events = stream.reader.readNew(kFoldedBytes);
    if (!events)
        problem = events.error().message;
    stream.events = events ? std::move(*events) : std::vector<Event> {};
    stream.next = 0;
}

/// The stream whose next event is the oldest; null where all are read.
Stream* Follower::State::oldest(int64_t& rank)
{
    Stream* found = nullptr;
    for (auto& [streamRank, stream] : streams) {
        if (stream.isEmpty() || (found && found->front().wallTime <= stream.front().wallTime))
            continue;
        found = &stream;
        rank = streamRank;
    }
    return found;
}

/// Merges the streams by wall time. Each is asked for more when its chunk is used up, until it has
/// none.
bool Follower::State::foldNew()
{
    for (auto& [rank, stream] : streams)
        refill(stream);
    bool changed = false;
    int64_t rank = 0;
    while (Stream* stream = oldest(rank)) {
        fold(snapshot, rank, stream->front());
        changed = true;
        if (++stream->next == stream->events.size())
            refill(*stream);
    }
    return changed;
}

/// Of a run at whose files nobody writes any more.
bool Follower::State::foldTornTails()
{
    bool changed = false;
    for (auto& [rank, stream] : streams) {
        if (const std::optional<Event> tail = stream.reader.takeTornTail()) {
            fold(snapshot, rank, *tail);
            changed = true;
        }
    }
    return changed;
}

/// A file that does not fit is deleted: the events are folded from their beginning.
void Follower::State::openHistory()
{
    isOpen = true;
    std::error_code ignored;
    if (!std::filesystem::exists(historyPath(folder), ignored))
        return;
    Result<History> history = readHistory(folder);
    auto found = history ? streamsAt(folder, history->positions) : std::nullopt;
    if (!found) {
        std::filesystem::remove(historyPath(folder), ignored);
        return;
    }
    streams = std::move(*found);
    snapshot = std::move(history->snapshot);
    folded = snapshot.state;
    inHistory = bytesIn(history->positions);
}

std::optional<LogPositions> Follower::State::positions() const
{
    LogPositions all;
    for (const auto& [rank, stream] : streams) {
        std::optional<std::vector<LogPosition>> files = stream.reader.positions();
        if (!files)
            return std::nullopt;
        all[rank] = std::move(*files);
    }
    return all;
}

uint64_t Follower::State::bytesRead() const
{
    uint64_t bytes = 0;
    for (const auto& [rank, stream] : streams)
        bytes += stream.reader.bytesRead();
    return bytes;
}

void Follower::State::keepHistory()
{
    const uint64_t fresh = bytesRead() - keptBytes;
    if (fresh < std::max(kMinHistoryBytes, inHistory / kHistoryGrowth))
        return;
    const std::optional<LogPositions> all = positions();
    if (!all)
        return;
    (void)writeHistory(folder, *all, snapshot); // it saves time, not data
    inHistory += fresh;
    keptBytes += fresh;
}

Follower::Follower(RunFolder folder)
    : m_state(std::make_unique<State>())
{
    m_state->folder = std::move(folder);
}

Follower::~Follower() = default;
Follower::Follower(Follower&&) noexcept = default;
Follower& Follower::operator=(Follower&&) noexcept = default;

Result<bool> Follower::poll()
{
    State& s = *m_state;
    const earwright::run::State shown = s.snapshot.state;
    const bool isFirst = !s.isOpen;
    if (isFirst)
        s.openHistory();
    s.findStreams();
    s.snapshot.state = s.folded;
    const bool isNew = s.foldNew();
    if (isNew)
        s.keepHistory();
    s.folded = s.snapshot.state;
    s.snapshot.state = observedState(s.folder, s.snapshot);
    const bool isCut = !isLive(s.snapshot.state) && s.foldTornTails();
    const bool changed = isNew || isCut || (isFirst && s.inHistory > 0);
    if (!s.problem.empty())
        return Error { std::exchange(s.problem, {}) };
    return changed || s.snapshot.state != shown;
}

const Snapshot& Follower::snapshot() const
{
    return m_state->snapshot;
}

uint64_t Follower::logBytesRead() const
{
    return m_state->bytesRead();
}

} // namespace earwright::run
