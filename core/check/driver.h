#pragma once

#include "core/check/machine.h"

#include <string>

namespace earwright::check {

/// Why the NVIDIA driver cannot run the CUDA that is loaded, and what to do; "" where it can, or
/// where nobody says.
std::string driverProblem(const Machine& machine);

/// "580.65.06" -> {580, 65, 6}; what is no number counts as 0.
std::vector<int> versionOf(const std::string& text);

} // namespace earwright::check
