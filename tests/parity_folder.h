#pragma once

#include <cstdlib>
#include <filesystem>

namespace kymo::tests {

/// Where upstream's recorded inputs and outputs are: KYMO_PARITY_DIR, else the selection kept with
/// the tests.
inline std::filesystem::path parityFolder()
{
    const char* folder = std::getenv("KYMO_PARITY_DIR");
    if (folder != nullptr && *folder != 0)
        return folder;
    return KYMO_CASES_DIR "/parity";
}

} // namespace kymo::tests
