#include "core/run/queue.h"

#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"

#include <algorithm>
#include <fcntl.h>

namespace earwright::run {
namespace {

constexpr int64_t kQueueVersion = 1;

std::filesystem::path queuePath(const std::filesystem::path& root)
{
    return root / "queue.json";
}

std::filesystem::path ownerPath(const std::filesystem::path& root)
{
    return root / "queue.owner";
}

Result<Descriptor> openFile(const std::filesystem::path& path)
{
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file)
        return Error { "cannot open '" + path.string() + "': " + systemError() };
    return file;
}

} // namespace

Result<Queue> readQueue(const std::filesystem::path& root)
{
    const std::filesystem::path path = queuePath(root);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return Queue {};
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<JsonReader> reader = JsonReader::parse(*text);
    if (!reader)
        return Error { "'" + path.string() + "' is " + reader.error().message };
    int64_t version = 0;
    Queue queue;
    (*reader)("version", version);
    (*reader)("stopped", queue.isStopped);
    (*reader)("runs", queue.runs);
    if (version > kQueueVersion)
        return Error { "'" + path.string()
            + "' was written by a newer Earwright: update Earwright to use it" };
    if (const Status status = reader->status(); !status)
        return Error { "'" + path.string() + "': " + status.error().message };
    return queue;
}

Status editQueue(const std::filesystem::path& root, const std::function<Status(Queue&)>& edit)
{
    std::error_code error;
    std::filesystem::create_directories(root, error);
    if (error)
        return Error { "cannot create '" + root.string() + "': " + error.message() };
    const Result<Descriptor> alone = openFile(root / "queue.lock");
    if (!alone)
        return alone.error();
    if (const Status locked = waitForLock(root / "queue.lock", *alone); !locked)
        return locked.error();
    Result<Queue> queue = readQueue(root);
    if (!queue)
        return queue.error();
    if (Status edited = edit(*queue); !edited)
        return edited;
    for (const std::string& run : queue->runs)
        if (brokenUtf8At(run) != std::string::npos)
            return Error { "'" + run
                + "' cannot be in the queue: its path is no UTF-8, as queue.json is; rename it" };
    JsonWriter writer;
    writer("version", kQueueVersion);
    writer("stopped", queue->isStopped);
    writer("runs", queue->runs);
    return writeFileAtomically(queuePath(root), writer.text(2) + "\n");
}

std::string queueEntry(const std::filesystem::path& folder)
{
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(folder, error);
    return (error ? folder : real).string();
}

bool moveBy(Queue& queue, const std::string& run, std::ptrdiff_t places)
{
    const auto found = std::find(queue.runs.begin(), queue.runs.end(), run);
    if (found == queue.runs.end())
        return false;
    const std::ptrdiff_t from = found - queue.runs.begin();
    const std::ptrdiff_t to
        = std::clamp<std::ptrdiff_t>(from + places, 0, std::ssize(queue.runs) - 1);
    const auto first = queue.runs.begin();
    if (to < from)
        std::rotate(first + to, first + from, first + from + 1);
    else
        std::rotate(first + from, first + from + 1, first + to + 1);
    return true;
}

/// A lock of the process, unlike flock: the kernel tells who has it.
Result<Descriptor> ownQueue(const std::filesystem::path& root)
{
    Result<Descriptor> owner = openFile(ownerPath(root));
    if (!owner)
        return owner;
    struct flock whole { };
    whole.l_type = F_WRLCK;
    if (::fcntl(owner->fd(), F_SETLK, &whole) != 0)
        return Error { "the queue of '" + root.string() + "' is served already, by process "
            + std::to_string(queueOwner(root)) };
    return owner;
}

int64_t queueOwner(const std::filesystem::path& root)
{
    const Descriptor file(::open(ownerPath(root).c_str(), O_RDONLY | O_CLOEXEC));
    struct flock whole { };
    whole.l_type = F_WRLCK;
    return file && ::fcntl(file.fd(), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK ? whole.l_pid
                                                                                       : 0;
}

std::set<std::string> devicesTaken(const std::vector<std::string>& devices)
{
    std::set<std::string> taken;
    for (const std::string& device : devices)
        taken.insert(device.starts_with("cpu") ? "cpu" : device);
    return taken;
}

std::optional<size_t> nextToStart(
    const std::vector<std::vector<std::string>>& waiting, std::set<std::string> used)
{
    for (size_t i = 0; i < waiting.size(); ++i) {
        const std::set<std::string> wanted = devicesTaken(waiting[i]);
        const bool isFree = std::none_of(
            wanted.begin(), wanted.end(), [&](const std::string& d) { return used.contains(d); });
        if (isFree)
            return i;
        used.insert(wanted.begin(), wanted.end());
    }
    return std::nullopt;
}

} // namespace earwright::run
