#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <filesystem>
#include <sys/file.h>

namespace earwright {

/// Waits for the lock (flock) of what was opened under this name; closing gives it back. A
/// process's own second descriptor counts as somebody else. The error names the path and the
/// reason.
inline Status waitForLock(const std::filesystem::path& path, const Descriptor& file)
{
    while (::flock(file.fd(), LOCK_EX) != 0) {
        if (errno != EINTR)
            return Error { "cannot lock '" + path.string() + "': " + systemError() };
    }
    return Done {};
}

} // namespace earwright
