#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <vector>

/// The checkpoints of a run: the folders `step-<n>` below `checkpoints/`.
namespace earwright::train {

/// Those that have their manifest, whatever became of their other files, the newest first. Of one
/// that was moved aside and not replaced "step-<n>.old".
std::vector<std::filesystem::path> stepFolders(const std::filesystem::path& folder);

/// The complete checkpoints below a folder, the newest first.
std::vector<std::filesystem::path> completeCheckpoints(const std::filesystem::path& folder);
/// The newest complete checkpoint below a folder, or nothing; incomplete ones are passed over.
std::optional<std::filesystem::path> lastCheckpoint(const std::filesystem::path& folder);
struct NewestCheckpoint {
    std::optional<std::filesystem::path> path; ///< the newest complete one
    std::vector<Error> passedOver; ///< newer ones, each with why
};
/// As lastCheckpoint(), and what was passed over.
NewestCheckpoint newestCheckpoint(const std::filesystem::path& folder);
/// The one that the newest checkpoint names as the best.
std::optional<std::filesystem::path> bestCheckpoint(const std::filesystem::path& folder);
/// Of those that were validated the `count` with the least metric, of equal ones the newer; where
/// none was, the newest: those that SpeechBrain's find_checkpoints gives for a min_key. Fewer where
/// there are no more. The newest first.
std::vector<std::filesystem::path> bestCheckpoints(
    const std::filesystem::path& folder, size_t count);

} // namespace earwright::train
