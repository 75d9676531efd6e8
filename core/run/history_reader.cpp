#include "core/base/descriptor.h"
#include "core/base/json_fields.h"
#include "core/run/history_fields.h"
#include "core/run/history_file.h"
#include "core/run/record.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>

namespace earwright::run {
namespace {

using namespace history;

/// Puts a payload back where listsOf() found it.
struct PutBack {
    Snapshot& s;
    void operator()(RunStarted& p) const { s.started = std::move(p); }
    void operator()(Evaluated& p) const { s.evaluations.push_back(std::move(p)); }
    void operator()(CheckpointSaved& p) const { s.checkpoints.push_back(std::move(p)); }
    void operator()(NonFinite& p) const { s.nonFinite.push_back(std::move(p)); }
    void operator()(LossScaleChanged& p) const { s.lossScales.push_back(p); }
    void operator()(DtypeCensus& p) const { s.census.push_back(std::move(p)); }
    void operator()(Restarting& p) const { s.restarts.push_back(std::move(p)); }
    void operator()(BatchSplit& p) const { s.batchSplits.push_back(std::move(p)); }
    void operator()(LogDamage& p) const { s.damage.push_back(std::move(p)); }
    void operator()(auto&) const { }
};

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
    for (const std::string& text : lists.marks) {
        Result<JsonReader> reader = JsonReader::parse(text);
        if (!reader)
            return reader.error();
        visitMark(snapshot.marks.emplace_back(), *reader);
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

} // namespace

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
    std::string earwright;
    std::string state;
    std::vector<std::string> places;
    History history;
    Lists lists;
    (*reader)("version", version);
    (*reader)("earwright", earwright);
    (*reader)("positions", places);
    (*reader)("state", state);
    visitRest(history.snapshot, *reader);
    lists.visit(*reader);
    if (version != kVersion || earwright != EARWRIGHT_VERSION)
        return unfit(path, "another version of Earwright wrote it");
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

} // namespace earwright::run
