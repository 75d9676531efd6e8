#include "core/run/follower.h"

#include "core/run/event_log.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace kymo::run {
namespace {

constexpr size_t kChunkBytes = 1u << 20; ///< bounds the memory that opening a long run takes

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

} // namespace

struct Follower::State {
    RunFolder folder;
    Snapshot snapshot;
    kymo::run::State folded = kymo::run::State::Unknown; ///< what the events alone say
    std::map<int64_t, Stream> streams; ///< by rank
    std::string problem; ///< to be told at the end of this poll

    void findStreams();
    void refill(Stream& stream);
    Stream* oldest(int64_t& rank);
    bool foldNew();
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
    Result<std::vector<Event>> events = stream.reader.readNew(kChunkBytes);
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
    const kymo::run::State shown = s.snapshot.state;
    s.findStreams();
    s.snapshot.state = s.folded;
    const bool changed = s.foldNew();
    s.folded = s.snapshot.state;
    s.snapshot.state = observedState(s.folder, s.snapshot);
    if (!s.problem.empty())
        return Error { std::exchange(s.problem, {}) };
    return changed || s.snapshot.state != shown;
}

const Snapshot& Follower::snapshot() const
{
    return m_state->snapshot;
}

} // namespace kymo::run
