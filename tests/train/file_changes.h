#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace earwright::tests {

/// One system call that changes a file, a folder or what of them is on the disk.
struct FileChange {
    enum Kind { Write, Sync, Rename, Remove, MakeFolder };
    Kind kind;
    std::filesystem::path path {}; ///< of a Rename: the old one
    std::filesystem::path target {}; ///< of a Rename: the new one
};

struct Traced {
    std::vector<FileChange> changes; ///< in order, below the folder that was asked for
    bool wasKilled = false;
};

/// Runs `work` in a child process under ptrace and notes its changes below `folder`. Where
/// `killBefore` is the number of one of them, the child is killed when it is about to make it.
/// Nothing where this system permits no ptrace.
std::optional<Traced> traceChanges(const std::filesystem::path& folder,
    const std::function<void()>& work, size_t killBefore = SIZE_MAX);

} // namespace earwright::tests
