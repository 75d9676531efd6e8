#include "core/run/history_file.h"

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/run/history_fields.h"
#include "core/run/record.h"

#include <algorithm>
#include <fcntl.h>

namespace earwright::run {
namespace {

using namespace history;

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
    add(s.batchSplits);
    add(s.damage);
    add(s.lossScales);
    add(s.census);
    add(s.restarts);
    for (const LogLine& line : s.log) {
        JsonWriter writer;
        visit(line, writer);
        lists.log.push_back(writer.text());
    }
    for (const Mark& mark : s.marks) {
        JsonWriter writer;
        visitMark(mark, writer);
        lists.marks.push_back(writer.text());
    }
    for (const auto& [tag, series] : s.series) {
        JsonWriter writer;
        writer("tag", tag);
        writer("points", static_cast<int64_t>(series.points().size()));
        lists.curves.push_back(writer.text());
    }
    return lists;
}

std::string headerText(const LogPositions& positions, const Snapshot& snapshot)
{
    JsonWriter writer;
    writer("version", kVersion);
    writer("earwright", std::string(EARWRIGHT_VERSION));
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

/// A file to write into that nobody else writes into; none where somebody does.
Descriptor lockedFile(const std::filesystem::path& path)
{
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file || tryLock(path, file.fd()) != Holder::Us || ::ftruncate(file.fd(), 0) != 0)
        return Descriptor();
    return file;
}

} // namespace

std::filesystem::path historyPath(const RunFolder& folder)
{
    return folder.path / "history.bin";
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

} // namespace earwright::run
