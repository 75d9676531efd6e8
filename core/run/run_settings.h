#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace earwright::run {

struct RunFolder;

/// What a run was started with, as lists of runs show it.
struct RunSettings {
    std::vector<std::string> overrides {}; ///< "seed=13", in the order typed
    /// The recipe's keys with a value of one word or a list of such, resolved: "lr" -> "0.01",
    /// "betas" -> "[0.9, 0.98]"; of an untagged mapping "opts.lr".
    std::map<std::string, std::string> keys {};
};

/// Costs the whole recipe: not for every look at a list.
Result<RunSettings> readSettings(const RunFolder& folder);

/// Its overrides alone, which costs one file.
Result<std::vector<std::string>> readOverrides(const RunFolder& folder);

/// "seed=13, epochs=3": of each run those of its overrides that not all of them have alike. Of one
/// run all.
std::vector<std::string> whatDiffers(const std::vector<std::vector<std::string>>& overridesOfRuns);

} // namespace earwright::run
