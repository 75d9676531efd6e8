#pragma once

#include "core/distributed/group.h"

#include <chrono>
#include <filesystem>
#include <vector>

namespace earwright::distributed {

/// Waits until this rank sees every file as rank 0 does: a shared folder (NFS) may show a file
/// late, empty, in part or as it was before, so size and SHA-256 decide and not existence. Each
/// rank gives its own paths, in one order; `name` is the barrier's. Throws, on every rank, where
/// rank 0 cannot read a file, and on this rank where its view is not there in time: it names the
/// file and what is seen of it.
void awaitFiles(Group& group, const std::string& name,
    const std::vector<std::filesystem::path>& files,
    std::chrono::milliseconds patience = std::chrono::minutes(5));

} // namespace earwright::distributed
