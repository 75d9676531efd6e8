#pragma once

#include <cstdlib>
#include <filesystem>

namespace kymo::tests {

/// Where upstream's recorded inputs and outputs are: KYMO_PARITY_DIR, else shared/parity beside the
/// sources, else the selection kept with the tests.
inline std::filesystem::path parityFolder()
{
    const char* folder = std::getenv("KYMO_PARITY_DIR");
    if (folder != nullptr && *folder != 0)
        return folder;
    const std::filesystem::path shared = KYMO_SOURCE_DIR "/../shared/parity";
    return std::filesystem::exists(shared) ? shared : KYMO_CASES_DIR "/parity";
}

} // namespace kymo::tests
