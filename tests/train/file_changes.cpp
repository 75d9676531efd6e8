#include "tests/train/file_changes.h"

#include <csignal>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace earwright::tests {

namespace fs = std::filesystem;

namespace {

using Arguments = unsigned long long[6];

std::string textAt(pid_t child, unsigned long long address)
{
    std::string text;
    for (char c = 0;; ++address, text += c) {
        iovec here { &c, 1 };
        iovec there { reinterpret_cast<void*>(address), 1 };
        if (process_vm_readv(child, &here, 1, &there, 1, 0) != 1 || c == '\0')
            return text;
    }
}

fs::path ofDescriptor(pid_t child, unsigned long long fd)
{
    const std::string of = "/proc/" + std::to_string(child);
    std::error_code none;
    return fs::read_symlink(
        static_cast<int>(fd) == AT_FDCWD ? of + "/cwd" : of + "/fd/" + std::to_string(fd), none);
}

fs::path ofName(pid_t child, unsigned long long folder, unsigned long long name)
{
    return ofDescriptor(child, folder) / textAt(child, name);
}

/// What the system call that the child is about to make changes, if anything.
std::optional<FileChange> changeOf(pid_t child, unsigned long long number, const Arguments& a)
{
    const auto here = static_cast<unsigned long long>(AT_FDCWD);
    switch (number) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_ftruncate:
        return FileChange { FileChange::Write, ofDescriptor(child, a[0]) };
    case SYS_fsync:
    case SYS_fdatasync:
        return FileChange { FileChange::Sync, ofDescriptor(child, a[0]) };
    case SYS_renameat:
    case SYS_renameat2:
        return FileChange { FileChange::Rename, ofName(child, a[0], a[1]),
            ofName(child, a[2], a[3]) };
    case SYS_unlinkat:
        return FileChange { FileChange::Remove, ofName(child, a[0], a[1]) };
    case SYS_mkdirat:
        return FileChange { FileChange::MakeFolder, ofName(child, a[0], a[1]) };
#ifdef SYS_rename // newer processors have the *at calls only
    case SYS_rename:
        return FileChange { FileChange::Rename, ofName(child, here, a[0]),
            ofName(child, here, a[1]) };
    case SYS_unlink:
    case SYS_rmdir:
        return FileChange { FileChange::Remove, ofName(child, here, a[0]) };
    case SYS_mkdir:
        return FileChange { FileChange::MakeFolder, ofName(child, here, a[0]) };
#endif
    default:
        return std::nullopt;
    }
}

[[noreturn]] void runTraced(const std::function<void()>& work)
{
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
        _exit(EXIT_FAILURE);
    raise(SIGSTOP);
    work();
    _exit(EXIT_SUCCESS);
}

} // namespace

std::optional<Traced> traceChanges(
    const fs::path& folder, const std::function<void()>& work, size_t killBefore)
{
    const pid_t child = fork();
    if (child == 0)
        runTraced(work);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return std::nullopt;
    ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    Traced traced;
    for (;;) {
        ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
            return traced;
        __ptrace_syscall_info info {};
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)
            || ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) <= 0
            || info.op != PTRACE_SYSCALL_INFO_ENTRY)
            continue;
        Arguments arguments;
        std::copy(std::begin(info.entry.args), std::end(info.entry.args), arguments);
        const std::optional<FileChange> change = changeOf(child, info.entry.nr, arguments);
        std::error_code none;
        if (!change || !change->path.string().starts_with(folder.string())
            || (change->kind == FileChange::Remove && !fs::exists(change->path, none)))
            continue;
        if (traced.changes.size() == killBefore) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            traced.wasKilled = true;
            return traced;
        }
        traced.changes.push_back(*change);
    }
}

} // namespace earwright::tests
