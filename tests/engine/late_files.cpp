// A share that shows files late, for LD_PRELOAD: rank 1 of a run finds no manifest the first times
// that it opens one, then an empty one; and for rank 0 every sound (or file with the ending that
// EARWRIGHT_SLOW_ENDING names) takes its time to open. Each opening of a manifest is noted in the
// file that EARWRIGHT_LATE_FILES names.
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>

namespace {

constexpr int kAbsent = 3; ///< times
constexpr int kEmpty = 3; ///< times after that

using Open = int (*)(const char*, int, ...);

Open original(const char* name)
{
    return reinterpret_cast<Open>(dlsym(RTLD_NEXT, name));
}

bool isRank(const char* rank)
{
    const char* mine = std::getenv("RANK");
    return mine != nullptr && std::strcmp(mine, rank) == 0;
}

/// How often this path was opened to be read, this time included.
int countOf(const std::string& path)
{
    static std::mutex mutex;
    static std::map<std::string, int> counts;
    const std::lock_guard lock(mutex);
    return ++counts[path];
}

void note(Open open, const std::string& line)
{
    const char* file = std::getenv("EARWRIGHT_LATE_FILES");
    const int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    if (fd < 0)
        return;
    if (write(fd, line.data(), line.size()) < 0)
        std::abort();
    close(fd);
}

bool isSlow(const std::string& path)
{
    const char* ending = std::getenv("EARWRIGHT_SLOW_ENDING");
    return isRank("0") && path.ends_with(ending ? ending : ".wav");
}

int openLate(Open open, const char* path, int flags, mode_t mode)
{
    const std::string name = path;
    if (isSlow(name))
        usleep(useconds_t(1000)
            * static_cast<useconds_t>(std::atoi(std::getenv("EARWRIGHT_SLOW_MS"))));
    if (!isRank("1") || !name.ends_with(".csv") || (flags & O_ACCMODE) != O_RDONLY)
        return open(path, flags, mode);
    const int count = countOf(name);
    note(open, name.substr(name.rfind('/') + 1) + "\n");
    if (count <= kAbsent) {
        errno = ENOENT;
        return -1;
    }
    return open(count <= kAbsent + kEmpty ? "/dev/null" : path, flags, mode);
}

mode_t modeOf(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

} // namespace

extern "C" int open(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openLate(original("open"), path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openLate(original("open64"), path, flags, mode);
}
