#include "core/engine/out_of_memory.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <charconv>
#include <vector>

namespace earwright::engine {

namespace {

constexpr std::string_view kCounter = "oom_kill ";

std::optional<int64_t> counterIn(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return {};
    for (const std::string& line : split(*text, '\n')) {
        int64_t count = 0;
        if (line.starts_with(kCounter)
            && std::from_chars(line.data() + kCounter.size(), line.data() + line.size(), count).ec
                == std::errc())
            return count;
    }
    return {};
}

/// Where this process's control group may be mounted; in a container it is the mount itself.
std::vector<std::filesystem::path> candidates(const std::filesystem::path& root)
{
    std::vector<std::filesystem::path> files;
    const std::filesystem::path mount = root / "sys/fs/cgroup";
    const Result<std::string> groups = readFile(root / "proc/self/cgroup");
    for (const std::string& line : groups ? split(*groups, '\n') : std::vector<std::string>()) {
        const std::vector<std::string> parts = split(line, ':'); // number:controllers:path
        if (parts.size() < 3 || parts[2].empty())
            continue;
        const std::string path = parts[2].substr(1);
        if (parts[1] == "memory") {
            files.push_back(mount / "memory" / path / "memory.oom_control");
            files.push_back(mount / "memory/memory.oom_control");
        } else if (parts[1].empty()) {
            files.push_back(mount / path / "memory.events");
            files.push_back(mount / "memory.events");
        }
    }
    files.push_back(root / "proc/vmstat");
    return files;
}

} // namespace

std::optional<int64_t> outOfMemoryKills(const std::filesystem::path& root)
{
    for (const std::filesystem::path& file : candidates(root)) {
        if (const std::optional<int64_t> count = counterIn(file))
            return count;
    }
    return {};
}

} // namespace earwright::engine
