#include "core/run/event_log.h"

#include "core/base/descriptor.h"
#include "core/run/event_codec.h"
#include "core/run/record.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace earwright::run {
namespace {

constexpr size_t kReadBytes = 1u << 20;
constexpr size_t kTailBytes = 16;
constexpr size_t kFrameHeadBytes = 12; ///< length and its checksum

struct File {
    std::filesystem::path path;
    Descriptor descriptor {};
    size_t offset = 0; ///< of the first frame not read yet
    bool isRefused = false; ///< cannot be read, or is too new
    bool endsTorn = false; ///< as far as it was read
    /// Offset and size when no sound record was found behind the offset.
    std::pair<size_t, size_t> searched {};
    std::optional<size_t> told = std::nullopt; ///< the place whose damage, still open, was told
    double time = 0; ///< of the latest event
};

std::string problemAt(const File& file, const std::string& what)
{
    return "'" + file.path.string() + "', byte " + std::to_string(file.offset) + ": " + what;
}

/// Up to `wanted` bytes from an offset on.
Result<std::string> readBytes(const File& file, size_t offset, size_t wanted)
{
    std::string bytes(wanted, '\0');
    size_t got = 0;
    for (;;) {
        const ssize_t count = ::pread(file.descriptor.fd(), bytes.data() + got, wanted - got,
            static_cast<off_t>(offset + got));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return Error { problemAt(file, "cannot read: " + systemError()) };
        got += static_cast<size_t>(count);
        if (count == 0 || got == wanted)
            break;
    }
    bytes.resize(got);
    return bytes;
}

size_t sizeOf(const File& file)
{
    struct stat status { };
    return ::fstat(file.descriptor.fd(), &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
}

Event damageEvent(const File& file, int64_t end, bool isCut = false)
{
    const std::string name = (std::filesystem::path("events") / file.path.parent_path().filename()
        / file.path.filename())
                                 .string();
    return { file.time, LogDamage { name, static_cast<int64_t>(file.offset), end, isCut } };
}

/// Of a place whose damage nothing sound follows yet: once.
std::optional<Event> openDamage(File& file, bool isCut)
{
    if (file.told == file.offset)
        return std::nullopt;
    file.told = file.offset;
    return damageEvent(file, -1, isCut);
}

/// The events of one sound frame; false where nobody understands it.
Result<bool> decode(const File& file, std::string_view message, std::vector<Event>& events)
{
    if (file.offset == 0) {
        if (const Status readable = checkVersion(message); !readable)
            return Error { problemAt(file, readable.error().message) };
    }
    return bool(decodeMessage(message, events));
}

/// Decodes the whole frames of `bytes`, passes over what is damaged between them and moves the
/// file's offset behind them. Returns what comes after them.
Result<Record> takeFrames(File& file, std::string_view bytes, std::vector<Event>& events)
{
    for (;;) {
        Record record = readRecord(bytes);
        if (record.kind == Record::Kind::Torn)
            return record;
        size_t length = record.frameBytes;
        const bool isWhole = record.kind == Record::Kind::Complete;
        const Result<bool> decoded = isWhole ? decode(file, record.data, events) : Result(false);
        if (!decoded)
            return decoded.error();
        if (!*decoded) {
            const size_t next = findRecord(bytes.substr(1));
            if (next == std::string_view::npos)
                return Record { .kind = Record::Kind::BadData };
            length = next + 1;
            events.push_back(damageEvent(file, static_cast<int64_t>(file.offset + length)));
        }
        if (!events.empty())
            file.time = std::max(file.time, events.back().wallTime);
        file.offset += length;
        bytes.remove_prefix(length);
    }
}

/// Where the first sound record behind the file's offset begins; nothing where there is none yet.
Result<std::optional<size_t>> nextRecord(const File& file)
{
    for (size_t at = file.offset + 1;;) {
        const Result<std::string> bytes = readBytes(file, at, kReadBytes);
        if (!bytes)
            return bytes.error();
        for (size_t i = 0; i < bytes->size(); ++i) {
            Record record = readRecord(std::string_view(*bytes).substr(i));
            Result<std::string> whole = std::string();
            if (record.kind == Record::Kind::Torn && record.frameBytes > 0) {
                whole = readBytes(file, at + i, record.frameBytes);
                if (!whole)
                    return whole.error();
                record = readRecord(*whole);
            }
            if (record.kind == Record::Kind::Complete)
                return std::optional(at + i);
        }
        if (bytes->size() < kReadBytes)
            return std::optional<size_t>();
        at += bytes->size() - kFrameHeadBytes; // one may begin at their end
    }
}

/// Goes on behind what is damaged, or only torn, where a sound record follows it; false where none
/// does.
Result<bool> passDamage(File& file, bool isTorn, std::vector<Event>& events)
{
    const std::pair searched(file.offset, sizeOf(file));
    const Result<std::optional<size_t>> next = nextRecord(file);
    if (!next)
        return next.error();
    if (*next) {
        events.push_back(damageEvent(file, static_cast<int64_t>(**next)));
        file.offset = **next;
        return true;
    }
    file.searched = searched;
    if (std::optional<Event> damage = isTorn ? std::nullopt : openDamage(file, false))
        events.push_back(std::move(*damage));
    return false;
}

/// Damage before a file's first event has the time of that.
void timeDamage(std::vector<Event>& events, size_t begin)
{
    for (size_t i = events.size(); i-- > begin;) {
        if (events[i].wallTime == 0 && i + 1 < events.size()
            && std::holds_alternative<LogDamage>(events[i].payload))
            events[i].wallTime = events[i + 1].wallTime;
    }
}

/// Reads until the end of the file, a torn tail, or about `maxBytes`.
Status readFrames(File& file, size_t maxBytes, std::vector<Event>& events)
{
    if (file.searched == std::pair(file.offset, sizeOf(file)))
        return Done {}; // nothing has come since
    const size_t begin = file.offset;
    size_t wanted = kReadBytes;
    while (file.offset - begin < maxBytes) {
        const Result<std::string> bytes = readBytes(file, file.offset, wanted);
        if (!bytes)
            return bytes.error();
        const size_t first = file.offset;
        const Result<Record> rest = takeFrames(file, *bytes, events);
        if (!rest)
            return rest.error();
        const bool isTorn = rest->kind == Record::Kind::Torn;
        const bool isAtEnd = bytes->size() < wanted;
        file.endsTorn = isTorn && isAtEnd && file.offset - first < bytes->size();
        if (file.endsTorn || !isTorn) {
            const Result<bool> passed = passDamage(file, isTorn, events);
            if (!passed)
                return passed.error();
            if (!*passed)
                break;
            file.endsTorn = false;
        } else if (isAtEnd) {
            break;
        }
        wanted = isTorn ? std::max(kReadBytes, rest->frameBytes) : kReadBytes;
    }
    return Done {};
}

/// In hex, the bytes before an offset: a record's checksum and the end of its data.
std::string tailOf(const File& file, size_t offset)
{
    const size_t length = std::min(offset, kTailBytes);
    const Result<std::string> bytes = readBytes(file, offset - length, length);
    std::string text;
    for (const char c : bytes ? *bytes : std::string()) {
        constexpr const char* kDigits = "0123456789abcdef";
        text += kDigits[static_cast<unsigned char>(c) >> 4];
        text += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

bool open(File& file)
{
    if (!file.descriptor)
        file.descriptor = Descriptor(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
    return bool(file.descriptor);
}

} // namespace

struct EventReader::State {
    std::filesystem::path folder;
    std::vector<File> files; ///< by attempt
    std::string problem; ///< to be told by the next call
    uint64_t bytesRead = 0;

    void findFiles();
};

void EventReader::State::findFiles()
{
    std::vector<std::filesystem::path> paths = eventFiles(folder);
    if (paths.size() <= files.size())
        return;
    std::vector<File> found;
    for (std::filesystem::path& path : paths) {
        const auto known = std::find_if(
            files.begin(), files.end(), [&](const File& f) { return f.path == path; });
        found.push_back(known == files.end() ? File { std::move(path) } : std::move(*known));
    }
    files = std::move(found);
}

EventReader::EventReader(std::filesystem::path folder)
    : m_state(std::make_unique<State>())
{
    m_state->folder = std::move(folder);
}

EventReader::~EventReader() = default;
EventReader::EventReader(EventReader&&) noexcept = default;
EventReader& EventReader::operator=(EventReader&&) noexcept = default;

Result<std::vector<Event>> EventReader::readNew(size_t maxBytes)
{
    m_state->findFiles();
    std::vector<Event> events;
    size_t left = maxBytes;
    for (File& file : m_state->files) {
        if (file.isRefused || left == 0 || !m_state->problem.empty())
            continue;
        const size_t begin = file.offset;
        const size_t firstEvent = events.size();
        const Status status = open(file)
            ? readFrames(file, left, events)
            : Status(Error { problemAt(file, "cannot open: " + systemError()) });
        if (!status) {
            file.isRefused = true;
            m_state->problem = status.error().message;
        }
        if (file.endsTorn && &file != &m_state->files.back()) { // nobody writes it any more
            if (std::optional<Event> cut = openDamage(file, true))
                events.push_back(std::move(*cut));
        }
        timeDamage(events, firstEvent);
        left -= std::min(left, file.offset - begin);
        m_state->bytesRead += file.offset - begin;
    }
    if (events.empty() && !m_state->problem.empty())
        return Error { std::exchange(m_state->problem, {}) };
    return events;
}

std::optional<Event> EventReader::takeTornTail()
{
    std::vector<File>& files = m_state->files;
    return files.empty() || !files.back().endsTorn ? std::nullopt : openDamage(files.back(), true);
}

std::optional<std::vector<LogPosition>> EventReader::positions() const
{
    std::vector<LogPosition> positions;
    for (const File& file : m_state->files) {
        if (file.isRefused)
            return std::nullopt;
        positions.push_back({ file.path.filename().string(), static_cast<int64_t>(file.offset),
            tailOf(file, file.offset) });
    }
    return positions;
}

bool EventReader::seek(const std::vector<LogPosition>& positions)
{
    std::vector<File> files;
    for (const LogPosition& position : positions) {
        File& file = files.emplace_back(File { m_state->folder / position.file });
        file.offset = static_cast<size_t>(position.offset);
        if (position.offset < 0 || !open(file) || tailOf(file, file.offset) != position.tail)
            return false;
    }
    m_state->files = std::move(files);
    return true;
}

uint64_t EventReader::bytesRead() const
{
    return m_state->bytesRead;
}

} // namespace earwright::run
