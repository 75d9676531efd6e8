#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace earwright::train {

/// Gives `temporary`, a folder beside `path`, that name; what had it is removed. At no moment is
/// there neither the old folder nor the new one under the name, whenever the process is killed or
/// the power fails; after an error `temporary` may be the old one. A file system that cannot
/// exchange two names (NFS, Lustre, CIFS) has for a moment only asideOf(path).
Status replaceFolder(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// "step-12.old" of "step-12".
std::filesystem::path asideOf(std::filesystem::path path);
/// "step-12" of "step-12.old"; of any other the same.
std::filesystem::path withoutAside(const std::filesystem::path& path);
/// Whether it is "step-12.old" and there is no "step-12": a replaceFolder() was killed, or is under
/// way.
bool standsIn(const std::filesystem::path& path);
/// Gives one that standsIn() its name again. Only for who replaces it: another would meet a
/// replaceFolder() that is under way.
void putBack(const std::filesystem::path& path);

} // namespace earwright::train
