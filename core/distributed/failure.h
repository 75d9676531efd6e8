#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace earwright::distributed {

/// The first thing that went wrong in a run.
struct Failure {
    int64_t rank = -1; ///< -1 = the supervisor
    std::string host {};
    std::string phase {};
    int64_t step = 0;
    std::string cause {};
    std::string detail {}; ///< for the log: stacks, a line a frame
};

std::string failureToJson(const Failure& failure);
std::optional<Failure> failureFromJson(const std::string& json);
/// One line: "rank 1 on host-a failed in train at step 12: …".
std::string describe(const Failure& failure);

} // namespace earwright::distributed
