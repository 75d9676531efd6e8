#pragma once

#include <cstdlib>
#include <string_view>

namespace earwright {

/// Whether a mutation run (tests/mutate.sh) has switched `what` off, to see whether a test minds:
/// the environment's EARWRIGHT_DISABLE names it. Constantly false but in a build with
/// EARWRIGHT_MUTATE, where core/CMakeLists.txt lists the sources that ask.
#ifdef EARWRIGHT_MUTATE
inline bool isDisabled(std::string_view what)
{
    const char* disabled = std::getenv("EARWRIGHT_DISABLE");
    return disabled && what == disabled;
}
#else
constexpr bool isDisabled(std::string_view)
{
    return false;
}
#endif

} // namespace earwright
