#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/run/run_folder.h"

#include <climits>
#include <sstream>
#include <unistd.h>

namespace earwright::run {
namespace {

void visitLock(auto& lock, auto& field)
{
    field("pid", lock.pid);
    field("process_start_ticks", lock.processStartTicks);
    field("socket", lock.socket);
    field("host", lock.host);
    field("boot_id", lock.bootId);
}

std::filesystem::path lockPath(const RunFolder& folder)
{
    return folder.path / "lock.json";
}

} // namespace

std::string hostName()
{
    char name[HOST_NAME_MAX + 1] = {};
    ::gethostname(name, HOST_NAME_MAX);
    return name;
}

std::string bootId()
{
    const Result<std::string> text = readFile("/proc/sys/kernel/random/boot_id");
    return text ? text->substr(0, text->find('\n')) : std::string();
}

/// /proc/PID/stat: "pid (name) state …", the name may hold anything, so count from its last ')'.
int64_t processStartTicks(int64_t pid)
{
    const Result<std::string> stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    const size_t nameEnd = stat ? stat->rfind(')') : std::string::npos;
    if (pid <= 0 || nameEnd == std::string::npos)
        return 0;
    std::istringstream fields(stat->substr(nameEnd + 1));
    std::string field;
    for (int number = 3; number <= 22 && fields >> field; ++number) {
        if (number == 3 && (field == "Z" || field == "X"))
            return 0;
    }
    return fields ? std::atoll(field.c_str()) : 0;
}

Status writeLock(const RunFolder& folder, const Lock& lock)
{
    const std::optional<Lock> other = liveLock(folder);
    if (other && other->pid != lock.pid)
        return Error { "'" + folder.path.string() + "' is running already, supervised by process "
            + std::to_string(other->pid) + "; stop that run first" };
    JsonWriter writer;
    visitLock(lock, writer);
    if (Status status = writeFileAtomically(lockPath(folder), writer.text() + "\n"); !status)
        return status;
    std::error_code ignored;
    std::filesystem::remove(folder.path / "result.json", ignored);
    return Done {};
}

void removeLock(const RunFolder& folder)
{
    std::error_code ignored;
    std::filesystem::remove(lockPath(folder), ignored);
}

std::optional<Lock> readLock(const RunFolder& folder)
{
    const Result<std::string> text = readFile(lockPath(folder));
    if (!text)
        return std::nullopt;
    Result<JsonReader> reader = JsonReader::parse(*text);
    if (!reader)
        return std::nullopt;
    Lock lock;
    lock.bootId.clear(); // one without it is of an earlier version
    visitLock(lock, *reader);
    return reader->status() ? std::optional(lock) : std::nullopt;
}

std::optional<Lock> liveLock(const RunFolder& folder)
{
    std::optional<Lock> lock = readLock(folder);
    const bool isOfThisBoot = lock && (lock->bootId.empty() || lock->bootId == bootId());
    if (!isOfThisBoot || lock->host != hostName() || lock->processStartTicks == 0
        || processStartTicks(lock->pid) != lock->processStartTicks)
        return std::nullopt;
    return lock;
}

} // namespace earwright::run
