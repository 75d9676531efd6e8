#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace earwright::run {

/// The runs below a root that wait for devices, the next one first: ROOT/queue.json. A run that was
/// started is no longer in it: its folder says what became of it.
struct Queue {
    bool isStopped = false; ///< the user asked that no more be started
    std::vector<std::string> runs {}; ///< run folders, as queueEntry() gives them
};

/// A run folder as the queue has it: its real path, for a folder by another name is the same run. A
/// folder that is gone stays as it is.
std::string queueEntry(const std::filesystem::path& folder);

/// An empty queue where there is no file.
Result<Queue> readQueue(const std::filesystem::path& root);
/// Reads, edits and writes the queue while nobody else does. Nothing is written where `edit` fails,
/// or a run's path is not UTF-8.
Status editQueue(const std::filesystem::path& root, const std::function<Status(Queue&)>& edit);

/// Moves a waiting run so many places, to the front where negative, as far as there are any. False
/// where it does not wait.
bool moveBy(Queue& queue, const std::string& run, std::ptrdiff_t places);

/// The right to start the queue's runs: of one process, until it ends. The error names it.
Result<Descriptor> ownQueue(const std::filesystem::path& root);
/// The other process that has it; 0 = none.
int64_t queueOwner(const std::filesystem::path& root);

/// The first run none of whose devices is used, or wanted by one before it; `waiting` holds the
/// devices of each run. All CPU ranks count as one device.
std::optional<size_t> nextToStart(
    const std::vector<std::vector<std::string>>& waiting, std::set<std::string> used);
/// "cpu" for every CPU rank.
std::set<std::string> devicesTaken(const std::vector<std::string>& devices);

} // namespace earwright::run
