#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace earwright {

/// Whether a file or folder is there; a link counts as what it leads to. false where that cannot be
/// known: a folder that may not be read, a link to itself.
bool isFile(const std::filesystem::path& path);
bool isFolder(const std::filesystem::path& path);
/// When it was last written, in seconds since 1970; 0 where there is none.
double timeWritten(const std::filesystem::path& path);

/// The whole file as bytes. The error names the path and the reason ("cannot read 'x': No such file
/// or directory"). A pipe or a device, which may never end, is an error.
Result<std::string> readFile(const std::filesystem::path& path);
/// The same of what may come through a pipe, and is waited for; more than `most` bytes are an
/// error.
Result<std::string> readFileOrPipe(const std::filesystem::path& path, size_t most);

/// SHA-256 of a file's bytes as 64 hex digits, a block in memory at a time.
Result<std::string> sha256HexOfFile(const std::filesystem::path& path);

/// Writes a new .tmp in the same folder, fsyncs both, then renames: a reader sees the old content
/// or the new, never a part, also after a crash or a full disk. A link stays; a pipe is written
/// into.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// The same of a finished file of the folder that another program or library wrote: fsyncs it and
/// gives it the name `path`, of no pipe. On an error it is removed and what `path` was stays.
Status publishFile(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Who has an open file, on this host or another, or an open folder.
enum class Holder {
    Us,
    SomebodyElse, ///< or the name has gone to another file meanwhile
    Unknown, ///< where no lock can be had, on some network file systems
};

/// Takes the lock (flock) of what was opened under this name, if nobody has it; closing gives it
/// back. A process's own second descriptor counts as somebody else.
Holder tryLock(const std::filesystem::path& path, int fd);

/// Returns when the folder's entries (new names, renames, removals) are on the disk.
Status syncFolder(const std::filesystem::path& folder);

} // namespace earwright
