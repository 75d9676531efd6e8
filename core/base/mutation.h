#pragma once

#include <cstdlib>
#include <string_view>

namespace kymo {

/// Whether a mutation run (tests/mutate.sh) has switched `what` off, to see whether a test minds:
/// the environment's KYMO_DISABLE names it. Constantly false but in a build with KYMO_MUTATE, where
/// core/CMakeLists.txt lists the sources that ask.
#ifdef KYMO_MUTATE
inline bool isDisabled(std::string_view what)
{
    const char* disabled = std::getenv("KYMO_DISABLE");
    return disabled && what == disabled;
}
#else
constexpr bool isDisabled(std::string_view)
{
    return false;
}
#endif

} // namespace kymo
