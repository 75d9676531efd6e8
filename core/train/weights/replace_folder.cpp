#include "core/train/weights/replace_folder.h"

#include "core/base/file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

namespace earwright::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* kAside = ".old";

/// Where two names cannot be exchanged.
Status moveAside(const fs::path& temporary, const fs::path& path)
{
    const fs::path aside = asideOf(path);
    std::error_code problem;
    fs::remove_all(aside, problem);
    fs::rename(path, aside, problem);
    if (problem)
        return Error { problem.message() };
    if (const Status synced = syncFolder(path.parent_path()); !synced)
        return synced;
    fs::rename(temporary, path, problem);
    if (!problem)
        return Done {};
    std::error_code ignored;
    fs::rename(aside, path, ignored);
    return Error { problem.message() };
}

} // namespace

Status replaceFolder(const fs::path& temporary, const fs::path& path)
{
    const bool replaces = fs::exists(path);
    if (renameat2(
            AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), replaces ? RENAME_EXCHANGE : 0)
        != 0) {
        const bool cannotExchange = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
        if (!replaces || !cannotExchange)
            return Error { std::generic_category().message(errno) };
        if (const Status moved = moveAside(temporary, path); !moved)
            return moved;
    }
    // Nothing old goes before the new name is on the disk.
    if (const Status synced = syncFolder(path.parent_path()); !synced)
        return synced;
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    fs::remove_all(asideOf(path), ignored);
    return Done {};
}

fs::path asideOf(fs::path path)
{
    return path += kAside;
}

fs::path withoutAside(const fs::path& path)
{
    return path.extension() == kAside ? path.parent_path() / path.stem() : path;
}

bool standsIn(const fs::path& path)
{
    const fs::path named = withoutAside(path);
    std::error_code ignored;
    return named != path && !fs::exists(named, ignored);
}

void putBack(const fs::path& path)
{
    std::error_code ignored;
    if (standsIn(path))
        fs::rename(path, withoutAside(path), ignored);
}

} // namespace earwright::train
