#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>

namespace earwright::engine {

/// The devices of the runs below a root that are running, whoever started them, with the run that
/// has each.
std::map<std::string, std::filesystem::path> devicesInUse(const std::filesystem::path& root);

/// Starts the queue's runs of a root as their devices become free, one after the other, whatever
/// became of those before. Returns when none is left to start, or the user stopped the queue; the
/// runs go on. An Error where another process serves this queue, or its file cannot be read.
Status serveQueue(const std::filesystem::path& root, const std::filesystem::path& program);

/// Starts a process of its own that serves the queue, unless there is one. Its output goes to
/// ROOT/queue.log.
Status startQueueServer(const std::filesystem::path& root, const std::filesystem::path& program);

} // namespace earwright::engine
