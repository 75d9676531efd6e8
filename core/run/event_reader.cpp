#include "core/run/event_log.h"

#include "core/base/descriptor.h"
#include "core/run/event_codec.h"
#include "core/run/record.h"

#include <algorithm>
#include <fcntl.h>

namespace earwright::run {
namespace {

constexpr size_t kReadBytes = 1u << 20;
constexpr size_t kTailBytes = 16;

struct File {
    std::filesystem::path path;
    Descriptor descriptor {};
    size_t offset = 0; ///< of the first frame not read yet
    bool isDamaged = false;
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

/// Decodes the whole frames of `bytes` and moves the file's offset behind them. Returns the one
/// after them.
Result<Record> takeFrames(File& file, std::string_view bytes, std::vector<Event>& events)
{
    Record record = readRecord(bytes);
    while (record.kind == Record::Kind::Complete) {
        if (const Status status = decodeMessage(record.data, events); !status)
            return Error { problemAt(file, status.error().message) };
        file.offset += record.frameBytes;
        bytes.remove_prefix(record.frameBytes);
        record = readRecord(bytes);
    }
    if (record.kind == Record::Kind::BadLength)
        return Error { problemAt(file,
            "the checksum of the record's length is wrong: the file is damaged from here on") };
    if (record.kind == Record::Kind::BadData)
        return Error { problemAt(
            file, "the checksum of the record is wrong: the file is damaged from here on") };
    return record;
}

/// Reads until the end of the file, a torn tail, or about `maxBytes`.
Status readFrames(File& file, size_t maxBytes, std::vector<Event>& events)
{
    const size_t begin = file.offset;
    size_t wanted = kReadBytes;
    while (file.offset - begin < maxBytes) {
        const Result<std::string> bytes = readBytes(file, file.offset, wanted);
        if (!bytes)
            return bytes.error();
        const Result<Record> rest = takeFrames(file, *bytes, events);
        if (!rest)
            return rest.error();
        if (bytes->size() < wanted)
            break;
        wanted = std::max(kReadBytes, rest->frameBytes);
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
        if (file.isDamaged || left == 0 || !m_state->problem.empty())
            continue;
        const size_t begin = file.offset;
        const Status status = open(file)
            ? readFrames(file, left, events)
            : Status(Error { problemAt(file, "cannot open: " + systemError()) });
        if (!status) {
            file.isDamaged = true;
            m_state->problem = status.error().message;
        }
        left -= std::min(left, file.offset - begin);
        m_state->bytesRead += file.offset - begin;
    }
    if (events.empty() && !m_state->problem.empty())
        return Error { std::exchange(m_state->problem, {}) };
    return events;
}

std::optional<std::vector<LogPosition>> EventReader::positions() const
{
    std::vector<LogPosition> positions;
    for (const File& file : m_state->files) {
        if (file.isDamaged)
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
