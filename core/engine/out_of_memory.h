#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace earwright::engine {

/// How many processes of this control group the kernel has killed for lack of memory: `oom_kill` of
/// cgroup v2's memory.events or v1's memory.oom_control, else of /proc/vmstat (the whole
/// machine's). Nothing where the kernel does not count them. `root` is "/" but for tests.
std::optional<int64_t> outOfMemoryKills(const std::filesystem::path& root = "/");

} // namespace earwright::engine
