#pragma once

#include <chrono>

namespace kymo {

/// For waiting and measuring: it never jumps.
using Clock = std::chrono::steady_clock;

} // namespace kymo
