#pragma once

#include <chrono>

namespace earwright {

/// For waiting and measuring: it never jumps.
using Clock = std::chrono::steady_clock;

} // namespace earwright
