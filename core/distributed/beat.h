#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace earwright::distributed {

/// What a rank tells the others of itself, several times a second.
struct Beat {
    int64_t count = 0; ///< grows while the process lives
    int64_t pid = 0;
    int64_t processStartTicks = 0; ///< tells a reused pid apart
    std::string host {};
    std::string phase {};
    int64_t step = 0;
    std::string waitsIn {}; ///< the collective or barrier where its main thread waits for others
    int64_t waits = 0; ///< how many of those it has come to
    double stuckSeconds = 0; ///< since its main thread got on with anything
    double quietSeconds = 0; ///< the same, with neither computing nor disk access
    double idleSeconds = 0; ///< the same, with no operator begun, while a batch is in the model
    std::string stack {}; ///< of the main thread, where it has been quiet for too long
    bool gone = false; ///< its work is done, in good order: its process ends
    int64_t exitCode = 0; ///< with which it ends, where it is gone
};

std::string beatToJson(const Beat& beat);
std::optional<Beat> beatFromJson(const std::string& json);

} // namespace earwright::distributed
