#include "core/base/file.h"

#include "core/base/mutation.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace kymo {
namespace {

/// Closes on leaving the scope.
class Descriptor final {
public:
    Descriptor(const std::filesystem::path& path, int flags)
        : m_fd(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
    }
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int fd() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd;
};

/// Reads errno: call it before anything else can change it.
Error failure(std::string_view verb, const std::filesystem::path& path)
{
    const std::string reason = std::strerror(errno);
    return Error { "cannot " + std::string(verb) + " '" + path.string() + "': " + reason };
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

Status writeAndSync(const std::filesystem::path& path, std::string_view bytes)
{
    const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.isOpen() || !writeAll(file.fd(), bytes)
        || (!isDisabled("fsync-file") && ::fsync(file.fd()) != 0))
        return failure("write", path);
    return Done {};
}

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// By a synced file of the same folder.
Status replace(const std::filesystem::path& path, const std::filesystem::path& written)
{
    if (::rename(written.c_str(), path.c_str()) != 0) {
        const Error error = failure("replace", path);
        ::unlink(written.c_str());
        return error;
    }
    return syncFolder(folderOf(path));
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& path)
{
    const Descriptor file(path, O_RDONLY);
    if (!file.isOpen())
        return failure("read", path);
    std::string bytes;
    std::string chunk(size_t { 1 } << 16, '\0');
    for (;;) {
        const ssize_t count = ::read(file.fd(), chunk.data(), chunk.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure("read", path);
        if (count == 0)
            return bytes;
        bytes.append(chunk, 0, static_cast<size_t>(count));
    }
}

Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes)
{
    std::filesystem::path temporary = path;
    temporary += ".tmp";
    if (Status written = writeAndSync(temporary, bytes); !written) {
        // Half a file is of no use, and on a full disk it is in the way.
        ::unlink(temporary.c_str());
        return written;
    }
    return replace(path, temporary);
}

Status publishFile(const std::filesystem::path& unfinished, const std::filesystem::path& path)
{
    const Descriptor file(unfinished, O_RDONLY);
    if (!file.isOpen() || ::fsync(file.fd()) != 0) {
        const Error error = failure("write", path);
        ::unlink(unfinished.c_str());
        return error;
    }
    return replace(path, unfinished);
}

Status syncFolder(const std::filesystem::path& folder)
{
    if (isDisabled("fsync-folder"))
        return Done {};
    const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
    if (!descriptor.isOpen() || (::fsync(descriptor.fd()) != 0 && errno != EINVAL))
        return failure("write to the folder", folder);
    return Done {};
}

} // namespace kymo
