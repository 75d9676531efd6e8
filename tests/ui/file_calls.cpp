#include "tests/ui/file_calls.h"

#include <QDir>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

// A symbol of the program comes before those of its libraries, so that Qt's and the standard
// library's calls arrive here. libc's calls within itself do not: each function that takes a path
// is listed.

namespace {

std::atomic<bool> isWatching = false;
pid_t watchedProcess = 0; // a child between fork and exec shares the memory, not the id
std::vector<std::string>& calls()
{
    static std::vector<std::string> all;
    return all;
}

void note(const char* function, const char* path)
{
    const bool isFile = path && *path; // "": of a file that is open already
    if (!isWatching || !isFile || ::gettid() != watchedProcess)
        return;
    isWatching = false; // what noting itself asks for
    calls().push_back(std::string(function) + " " + path);
    isWatching = true;
}

template <class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t modeOf(int flags, va_list arguments)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

bool isDesktops(const QString& call)
{
    const QString path = call.section(QLatin1Char(' '), 1);
    QStringList roots { QStringLiteral("/usr/"), QStringLiteral("/etc/"), QStringLiteral("/lib"),
        QStringLiteral("/var/cache/fontconfig"), QStringLiteral("/var/lib/dbus"),
        QStringLiteral("/run/") };
    for (const char* own : { "/.cache/fontconfig", "/.fonts", "/.icons", "/.local/share/fonts",
             "/.local/share/icons", "/.config/fontconfig" })
        roots << QDir::homePath() + QLatin1String(own);
    roots << qEnvironmentVariable("XDG_DATA_HOME") + QStringLiteral("/icons");
    return path.startsWith(QLatin1Char(':'))
        || std::any_of(
            roots.begin(), roots.end(), [&](const QString& root) { return path.startsWith(root); });
}

} // namespace

FileCalls::FileCalls()
{
    calls().clear();
    watchedProcess = ::getpid();
    isWatching = true;
}

FileCalls::~FileCalls()
{
    isWatching = false;
}

QStringList FileCalls::seen() const
{
    isWatching = false;
    QStringList seen;
    for (const std::string& call : calls())
        if (!isDesktops(QString::fromStdString(call)))
            seen << QString::fromStdString(call);
    isWatching = true;
    return seen;
}

// NOLINTBEGIN: libc's names and signatures
#define EARWRIGHT_OPEN(name)                                                                       \
    int name(const char* path, int flags, ...)                                                     \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        const mode_t mode = modeOf(flags, arguments);                                              \
        va_end(arguments);                                                                         \
        note(#name, path);                                                                         \
        return next<int(const char*, int, ...)>(#name)(path, flags, mode);                         \
    }
#define EARWRIGHT_OPENAT(name)                                                                     \
    int name(int folder, const char* path, int flags, ...)                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        const mode_t mode = modeOf(flags, arguments);                                              \
        va_end(arguments);                                                                         \
        note(#name, path);                                                                         \
        return next<int(int, const char*, int, ...)>(#name)(folder, path, flags, mode);            \
    }
#define EARWRIGHT_PATH(result, name, parameters, arguments, guarantee)                             \
    result name parameters guarantee                                                               \
    {                                                                                              \
        note(#name, path);                                                                         \
        return next<result parameters>(#name) arguments;                                           \
    }
extern "C" {
EARWRIGHT_OPEN(open)
EARWRIGHT_OPEN(open64)
EARWRIGHT_OPENAT(openat)
EARWRIGHT_OPENAT(openat64)
EARWRIGHT_PATH(FILE*, fopen, (const char* path, const char* mode), (path, mode), )
EARWRIGHT_PATH(FILE*, fopen64, (const char* path, const char* mode), (path, mode), )
EARWRIGHT_PATH(DIR*, opendir, (const char* path), (path), )
EARWRIGHT_PATH(int, stat, (const char* path, struct stat* to), (path, to), noexcept)
EARWRIGHT_PATH(int, stat64, (const char* path, struct stat64* to), (path, to), noexcept)
EARWRIGHT_PATH(int, lstat, (const char* path, struct stat* to), (path, to), noexcept)
EARWRIGHT_PATH(int, lstat64, (const char* path, struct stat64* to), (path, to), noexcept)
EARWRIGHT_PATH(int, statx,
    (int folder, const char* path, int flags, unsigned mask, struct statx* to),
    (folder, path, flags, mask, to), noexcept)
EARWRIGHT_PATH(int, access, (const char* path, int mode), (path, mode), noexcept)
EARWRIGHT_PATH(int, faccessat, (int folder, const char* path, int mode, int flags),
    (folder, path, mode, flags), noexcept)
EARWRIGHT_PATH(
    ssize_t, readlink, (const char* path, char* to, size_t size), (path, to, size), noexcept)
EARWRIGHT_PATH(char*, realpath, (const char* path, char* to), (path, to), noexcept)
EARWRIGHT_PATH(int, mkdir, (const char* path, mode_t mode), (path, mode), noexcept)
EARWRIGHT_PATH(int, rename, (const char* path, const char* to), (path, to), noexcept)
EARWRIGHT_PATH(int, unlink, (const char* path), (path), noexcept)
EARWRIGHT_PATH(int, rmdir, (const char* path), (path), noexcept)
EARWRIGHT_PATH(
    int, inotify_add_watch, (int fd, const char* path, uint32_t mask), (fd, path, mask), noexcept)
}
// NOLINTEND
