#include "core/run/hold.h"

#include "core/base/clock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <thread>

namespace earwright::run {

Result<Descriptor> holdRun(const RunFolder& folder, std::chrono::milliseconds patience)
{
    const std::filesystem::path path = folder.path / "hold";
    // Without O_CLOEXEC: it is meant to be inherited.
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT, 0644));
    if (!file)
        return Error { "cannot open '" + path.string() + "': " + systemError() };
    const Clock::time_point end = Clock::now() + patience;
    while (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return Error { "cannot lock '" + path.string() + "': " + systemError() };
        if (Clock::now() >= end)
            return Error { "'" + folder.path.string()
                + "' is held by another supervisor or its ranks: stop that run first (`fuser "
                + path.string() + "` lists its processes)" };
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return file;
}

} // namespace earwright::run
