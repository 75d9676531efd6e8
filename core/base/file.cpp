#include "core/base/file.h"

#include "core/base/bytes.h"
#include "core/base/descriptor.h"
#include "core/base/link_target.h"
#include "core/base/mutation.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace earwright {
namespace {

Descriptor openFile(const std::filesystem::path& path, int flags)
{
    return Descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666));
}

/// Reads errno: call it before anything else can change it.
Error failure(std::string_view verb, const std::filesystem::path& path)
{
    const std::string reason = systemError();
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

/// How many bytes have come, 0 at the end and -1 on an error.
ssize_t readSome(const Descriptor& file, char* to, size_t most)
{
    ssize_t count = 0;
    do
        count = ::read(file.fd(), to, most);
    while (count < 0 && errno == EINTR);
    return count;
}

/// 0 where it is not known. A text that grows by appending takes up to three times its size.
size_t expectedSize(const Descriptor& file)
{
    constexpr off_t kMost = off_t { 1 } << 34; // some files of /proc claim to be as large as can be
    struct stat status { };
    const bool isKnown = ::fstat(file.fd(), &status) == 0 && S_ISREG(status.st_mode);
    return isKnown && status.st_size <= kMost ? static_cast<size_t>(status.st_size) : 0;
}

Result<std::string> readAll(const std::filesystem::path& path, const Descriptor& file, size_t most)
{
    std::string bytes;
    bytes.reserve(std::min(expectedSize(file), most));
    std::string chunk(size_t { 1 } << 16, '\0');
    for (;;) {
        const ssize_t count = readSome(file, chunk.data(), chunk.size());
        if (count < 0)
            return failure("read", path);
        if (count == 0)
            return bytes;
        bytes.append(chunk, 0, static_cast<size_t>(count));
        if (bytes.size() > most)
            return Error { "cannot read '" + path.string() + "': it has more than "
                + std::to_string(most) + " bytes" };
    }
}

/// A pipe or a device, which keeps nothing to be synced.
Status writeInto(const std::filesystem::path& node, std::string_view bytes)
{
    const Descriptor opened = openFile(node, O_WRONLY);
    return opened && writeAll(opened.fd(), bytes) ? Status(Done {}) : failure("write", node);
}

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

struct Unfinished {
    std::filesystem::path path;
    Descriptor file;
};

/// A file beside the target, to be written anew: what a killed process left of it is taken over,
/// and while another one writes it, the next name is taken. Some network file systems give a file
/// another inode each time: the last name is taken whoever has it.
Unfinished unfinishedOf(const std::filesystem::path& target)
{
    constexpr int kMostWriters = 100;
    const std::string name = "." + target.filename().string() + ".earwright";
    for (int other = 0;; ++other) {
        std::filesystem::path path
            = folderOf(target) / (name + (other > 0 ? "-" + std::to_string(other) : "") + ".tmp");
        Descriptor file = openFile(path, O_WRONLY | O_CREAT);
        if (!file || other == kMostWriters || tryLock(path, file.fd()) != Holder::SomebodyElse)
            return { std::move(path), std::move(file) };
    }
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

bool isFile(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

bool isFolder(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

double timeWritten(const std::filesystem::path& path)
{
    struct stat status { };
    if (::stat(path.c_str(), &status) != 0)
        return 0;
    return static_cast<double>(status.st_mtim.tv_sec)
        + 1e-9 * static_cast<double>(status.st_mtim.tv_nsec);
}

namespace {

Result<Descriptor> openRegular(const std::filesystem::path& path)
{
    // A pipe that nobody writes into would keep a blocking open waiting.
    Descriptor file = openFile(path, O_RDONLY | O_NONBLOCK);
    struct stat status { };
    if (!file || ::fstat(file.fd(), &status) != 0)
        return failure("read", path);
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return Error { "cannot read '" + path.string() + "': it is no file but "
            + (S_ISFIFO(status.st_mode) ? "a pipe" : "a device") + "; name a file" };
    return file;
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& path)
{
    const Result<Descriptor> file = openRegular(path);
    return file ? readAll(path, *file, std::numeric_limits<size_t>::max()) : file.error();
}

FileBytes::FileBytes(std::filesystem::path path, Descriptor file)
    : m_path(std::move(path))
    , m_file(std::move(file))
{
}

Result<std::unique_ptr<FileBytes>> FileBytes::open(const std::filesystem::path& path)
{
    Result<Descriptor> file = openRegular(path);
    if (!file)
        return file.error();
    return std::unique_ptr<FileBytes>(new FileBytes(path, std::move(*file)));
}

FileBytes::int_type FileBytes::underflow()
{
    const ssize_t count = readSome(m_file, m_chunk.data(), m_chunk.size());
    if (count < 0)
        m_status = failure("read", m_path);
    setg(m_chunk.data(), m_chunk.data(), m_chunk.data() + std::max<ssize_t>(count, 0));
    return count > 0 ? traits_type::to_int_type(m_chunk.front()) : traits_type::eof();
}

Result<std::string> readFileOrPipe(const std::filesystem::path& path, size_t most)
{
    const Descriptor file = openFile(path, O_RDONLY);
    return file ? readAll(path, file, most) : failure("read", path);
}

Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes)
{
    if (isNode(path))
        return writeInto(path, bytes);
    const std::filesystem::path target = linkTarget(path);
    const Unfinished unfinished = unfinishedOf(target);
    const int fd = unfinished.file.fd();
    if (unfinished.file && ::ftruncate(fd, 0) == 0 && writeAll(fd, bytes)
        && (isDisabled("fsync-file") || ::fsync(fd) == 0))
        return replace(target, unfinished.path);
    const Error error = failure("write", path);
    // Half a file is of no use, and on a full disk it is in the way.
    if (unfinished.file)
        ::unlink(unfinished.path.c_str());
    return error;
}

Status publishFile(const std::filesystem::path& unfinished, const std::filesystem::path& path)
{
    const bool isReplaced = !isNode(path);
    const Descriptor file = openFile(unfinished, O_RDONLY);
    if (isReplaced && file && ::fsync(file.fd()) == 0)
        return replace(linkTarget(path), unfinished);
    const Error error = isReplaced
        ? failure("write", path)
        : Error { "cannot write '" + path.string()
              + "': it is a pipe or a device, and only a file can be put in a name's place" };
    ::unlink(unfinished.c_str());
    return error;
}

Holder tryLock(const std::filesystem::path& path, int fd)
{
    const bool isLocked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!isLocked && errno == EWOULDBLOCK)
        return Holder::SomebodyElse;
    struct stat named { };
    struct stat opened { };
    if (::stat(path.c_str(), &named) != 0 || ::fstat(fd, &opened) != 0
        || named.st_ino != opened.st_ino)
        return Holder::SomebodyElse;
    return isLocked ? Holder::Us : Holder::Unknown;
}

Status syncFolder(const std::filesystem::path& folder)
{
    if (isDisabled("fsync-folder"))
        return Done {};
    const Descriptor descriptor = openFile(folder, O_RDONLY | O_DIRECTORY);
    if (!descriptor || (::fsync(descriptor.fd()) != 0 && errno != EINVAL))
        return failure("write to the folder", folder);
    return Done {};
}

} // namespace earwright
