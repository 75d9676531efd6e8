#include "core/run/history_file.h"

#include "core/run/descriptor.h"
#include "core/run/json_fields.h"
#include "core/run/record.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace kymo::run {
namespace {

constexpr int64_t kVersion = 1; ///< goes up when fold() gives another snapshot of the same events
constexpr size_t kPointsOfRecord = 1u << 16;
static_assert(std::endian::native == std::endian::little && sizeof(Point) == 24);

/// A snapshot's lists in the form they have in the event files.
struct Lists {
    std::vector<std::string> events {};
    std::vector<std::string> log {};
    std::vector<std::string> curves {};

    void visit(auto& field)
    {
        field("events", events);
        field("log", log);
        field("curves", curves);
    }
};

void visit(auto& position, auto& field, auto& rank)
{
    field("rank", rank);
    field("file", position.file);
    field("offset", position.offset);
    field("tail", position.tail);
}

void visit(auto& line, auto& field)
{
    field("time", line.wallTime);
    field("rank", line.rank);
    field("level", line.level);
    field("text", line.text);
}

/// Everything of a snapshot but its lists. The binding counts the members: a new one does not
/// compile until it is kept here or in the lists.
void visitRest(auto& snapshot, auto& field)
{
    auto& [state, started, startTime, lastTime, phase, phaseTime, epoch, step, totalSteps,
        itPerSecond, evaluationSeconds, etaSeconds, series, evaluations, checkpoints, nonFinite,
        lossScales, census, log, error, resumePending]
        = snapshot;
    field("start_time", startTime);
    field("last_time", lastTime);
    field("phase", phase);
    field("phase_time", phaseTime);
    field("epoch", epoch);
    field("step", step);
    field("total_steps", totalSteps);
    field("it_per_second", itPerSecond);
    field("evaluation_seconds", evaluationSeconds);
    field("eta_seconds", etaSeconds);
    field("error", error);
    field("resume_pending", resumePending);
}

Lists listsOf(const Snapshot& s)
{
    Lists lists;
    lists.events.push_back(payloadToJson(s.started));
    const auto add = [&](const auto& payloads) {
        for (const auto& payload : payloads)
            lists.events.push_back(payloadToJson(payload));
    };
    add(s.evaluations);
    add(s.checkpoints);
    add(s.nonFinite);
    add(s.lossScales);
    add(s.census);
    for (const LogLine& line : s.log) {
        JsonWriter writer;
        visit(line, writer);
        lists.log.push_back(writer.text());
    }
    for (const auto& [tag, series] : s.series) {
        JsonWriter writer;
        writer("tag", tag);
        writer("points", static_cast<int64_t>(series.points().size()));
        lists.curves.push_back(writer.text());
    }
    return lists;
}

/// Puts a payload back where listsOf() found it.
struct PutBack {
    Snapshot& s;
    void operator()(RunStarted& p) const { s.started = std::move(p); }
    void operator()(Evaluated& p) const { s.evaluations.push_back(std::move(p)); }
    void operator()(CheckpointSaved& p) const { s.checkpoints.push_back(std::move(p)); }
    void operator()(NonFinite& p) const { s.nonFinite.push_back(std::move(p)); }
    void operator()(LossScaleChanged& p) const { s.lossScales.push_back(p); }
    void operator()(DtypeCensus& p) const { s.census.push_back(std::move(p)); }
    void operator()(auto&) const { }
};

std::string headerText(const LogPositions& positions, const Snapshot& snapshot)
{
    JsonWriter writer;
    writer("version", kVersion);
    writer("kymo", std::string(KYMO_VERSION));
    std::vector<std::string> places;
    for (const auto& [rank, files] : positions) {
        for (const LogPosition& position : files) {
            JsonWriter place;
            visit(position, place, rank);
            places.push_back(place.text());
        }
    }
    writer("positions", places);
    writer("state", stateName(snapshot.state));
    visitRest(snapshot, writer);
    listsOf(snapshot).visit(writer);
    return writer.text();
}

Error unfit(const std::filesystem::path& path, const std::string& why)
{
    return Error { "'" + path.string() + "' is of no use: " + why };
}

/// The frames of the file, one after the other.
class Records final {
public:
    explicit Records(const std::filesystem::path& path)
        : m_path(path)
        , m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
    }

    /// The data stays valid until the next call.
    Result<std::string_view> next()
    {
        constexpr size_t kFrameBytes = (kPointsOfRecord + 1) * sizeof(Point);
        m_begin += m_record.frameBytes;
        for (size_t wanted = kFrameBytes;; wanted = std::max(wanted * 2, m_record.frameBytes)) {
            m_record = readRecord(std::string_view(m_bytes).substr(m_begin));
            if (m_record.kind == Record::Kind::Complete)
                return m_record.data;
            if (m_record.kind != Record::Kind::Torn || !readMore(wanted))
                return unfit(m_path, "it is damaged");
        }
    }

private:
    bool readMore(size_t wanted)
    {
        m_bytes.erase(0, m_begin);
        m_begin = 0;
        const size_t kept = m_bytes.size();
        m_bytes.resize(kept + wanted);
        const ssize_t count = ::read(m_file.fd(), m_bytes.data() + kept, wanted);
        m_bytes.resize(kept + static_cast<size_t>(std::max<ssize_t>(count, 0)));
        return count > 0;
    }

    const std::filesystem::path& m_path;
    Descriptor m_file;
    std::string m_bytes; ///< of the file; the record in it begins at m_begin
    size_t m_begin = 0;
    Record m_record;
};

Status readPositions(const std::vector<std::string>& places, LogPositions& positions)
{
    for (const std::string& place : places) {
        Result<JsonReader> reader = JsonReader::parse(place);
        if (!reader)
            return reader.error();
        LogPosition position;
        int64_t rank = 0;
        visit(position, *reader, rank);
        if (Status status = reader->status(); !status)
            return status;
        positions[rank].push_back(std::move(position));
    }
    return Done {};
}

Status readLists(const Lists& lists, Snapshot& snapshot)
{
    for (const std::string& event : lists.events) {
        Result<Payload> payload = payloadFromJson(event);
        if (!payload)
            return payload.error();
        std::visit(PutBack { snapshot }, *payload);
    }
    for (const std::string& text : lists.log) {
        Result<JsonReader> reader = JsonReader::parse(text);
        if (!reader)
            return reader.error();
        visit(snapshot.log.emplace_back(), *reader);
        if (Status status = reader->status(); !status)
            return status;
    }
    return Done {};
}

Status readCurve(const std::string& curve, Records& records, Snapshot& snapshot)
{
    Result<JsonReader> reader = JsonReader::parse(curve);
    if (!reader)
        return reader.error();
    std::string tag;
    int64_t count = 0;
    (*reader)("tag", tag);
    (*reader)("points", count);
    Series& series = snapshot.series[tag];
    while (series.points().size() < static_cast<size_t>(count)) {
        const Result<std::string_view> bytes = records.next();
        if (!bytes)
            return bytes.error();
        for (size_t at = 0; at + sizeof(Point) <= bytes->size(); at += sizeof(Point)) {
            Point point;
            std::memcpy(&point, bytes->data() + at, sizeof(point));
            series.append(point);
        }
        if (bytes->empty())
            return Error { "a curve is shorter than its header says" };
    }
    return Done {};
}

Status writeRecord(int fd, std::string_view data)
{
    std::string frame;
    frame.reserve(data.size() + 16);
    appendRecord(frame, data);
    for (size_t done = 0; done < frame.size();) {
        const ssize_t count = ::write(fd, frame.data() + done, frame.size() - done);
        if (count < 0 && errno != EINTR)
            return Error { systemError() };
        done += static_cast<size_t>(std::max<ssize_t>(count, 0));
    }
    return Done {};
}

Status writeRecords(int fd, const LogPositions& positions, const Snapshot& snapshot)
{
    Status status = writeRecord(fd, headerText(positions, snapshot));
    for (const auto& [tag, series] : snapshot.series) {
        const std::vector<Point>& points = series.points();
        for (size_t at = 0; status && at < points.size(); at += kPointsOfRecord) {
            const size_t count = std::min(kPointsOfRecord, points.size() - at);
            status = writeRecord(
                fd, { reinterpret_cast<const char*>(points.data() + at), count * sizeof(Point) });
        }
    }
    return status;
}

/// A file to write into that nobody else writes into; none where somebody does. Whoever waited for
/// it while it was renamed holds the finished file: not that one.
Descriptor lockedFile(const std::filesystem::path& path)
{
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    struct stat opened { };
    struct stat named { };
    if (!file || ::flock(file.fd(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file.fd(), &opened) != 0
        || ::stat(path.c_str(), &named) != 0 || opened.st_ino != named.st_ino
        || ::ftruncate(file.fd(), 0) != 0)
        return Descriptor();
    return file;
}

} // namespace

std::filesystem::path historyPath(const RunFolder& folder)
{
    return folder.path / "history.bin";
}

Result<History> readHistory(const RunFolder& folder)
{
    const std::filesystem::path path = historyPath(folder);
    Records records(path);
    const Result<std::string_view> header = records.next();
    if (!header)
        return header.error();
    Result<JsonReader> reader = JsonReader::parse(std::string(*header));
    if (!reader)
        return unfit(path, reader.error().message);
    int64_t version = 0;
    std::string kymo;
    std::string state;
    std::vector<std::string> places;
    History history;
    Lists lists;
    (*reader)("version", version);
    (*reader)("kymo", kymo);
    (*reader)("positions", places);
    (*reader)("state", state);
    visitRest(history.snapshot, *reader);
    lists.visit(*reader);
    if (version != kVersion || kymo != KYMO_VERSION)
        return unfit(path, "another version of Kymo wrote it");
    history.snapshot.state = stateFromName(state);
    Status status = reader->status();
    if (status)
        status = readPositions(places, history.positions);
    if (status)
        status = readLists(lists, history.snapshot);
    for (size_t i = 0; status && i < lists.curves.size(); ++i)
        status = readCurve(lists.curves[i], records, history.snapshot);
    if (!status)
        return unfit(path, status.error().message);
    return history;
}

/// Not synced: after a power failure its checksums tell what is missing, and it is built anew.
Status writeHistory(
    const RunFolder& folder, const LogPositions& positions, const Snapshot& snapshot)
{
    const std::filesystem::path path = historyPath(folder);
    std::filesystem::path temporary = path;
    temporary += ".tmp";
    const Descriptor file = lockedFile(temporary);
    if (!file)
        return Done {};
    Status status = writeRecords(file.fd(), positions, snapshot);
    if (status && ::rename(temporary.c_str(), path.c_str()) != 0)
        status = Error { systemError() };
    if (status)
        return status;
    ::unlink(temporary.c_str()); // on a full disk it is in the way
    return Error { "cannot write '" + path.string() + "': " + status.error().message };
}

} // namespace kymo::run
