#pragma once

#include "core/base/result.h"
#include "core/run/event_log.h"
#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace earwright::run {

/// Positions in the event files of every rank (-1 = the supervisor).
using LogPositions = std::map<int64_t, std::vector<LogPosition>>;

/// A snapshot and how far the event files are folded in it.
struct History {
    LogPositions positions;
    Snapshot snapshot; ///< its state as the events alone say
};

/// RUN/history.bin: what the event files say up to a place in each, ready to be shown
/// (core/run/FORMAT.md). Nothing is lost with it: the event files have it all.
std::filesystem::path historyPath(const RunFolder& folder);

/// An Error for a file that is damaged, or of another version of Earwright.
Result<History> readHistory(const RunFolder& folder);
/// Replaces the file at once. Does nothing while another process writes it.
Status writeHistory(
    const RunFolder& folder, const LogPositions& positions, const Snapshot& snapshot);

} // namespace earwright::run
