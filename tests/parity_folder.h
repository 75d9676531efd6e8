#pragma once

#include <cstdlib>
#include <filesystem>

namespace earwright::tests {

/// Where upstream's recorded inputs and outputs are: EARWRIGHT_PARITY_DIR, else the selection kept
/// with the tests.
inline std::filesystem::path parityFolder()
{
    const char* folder = std::getenv("EARWRIGHT_PARITY_DIR");
    if (folder != nullptr && *folder != 0)
        return folder;
    return EARWRIGHT_CASES_DIR "/parity";
}

} // namespace earwright::tests
