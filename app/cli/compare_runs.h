#pragma once

#include <string>
#include <vector>

namespace earwright::cli {

/// `earwright compare --runs A B…`: of runs that are there, each against the first. Returns an exit
/// code.
int compareRuns(const std::vector<std::string>& words);

} // namespace earwright::cli
