#pragma once

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

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

/// That and the second set, of other models: EARWRIGHT_PARITY2_DIR or, where that is not set, the
/// folder parity2 beside EARWRIGHT_PARITY_DIR. Set to nothing it is none. No name of a case is in
/// both.
inline std::vector<std::filesystem::path> parityFolders()
{
    std::vector<std::filesystem::path> folders { parityFolder() };
    const char* first = std::getenv("EARWRIGHT_PARITY_DIR");
    const char* second = std::getenv("EARWRIGHT_PARITY2_DIR");
    const std::filesystem::path beside = folders.front() / ".." / "parity2";
    std::error_code none;
    if (second != nullptr && *second != 0)
        folders.emplace_back(second);
    else if (second == nullptr && first != nullptr && *first != 0
        && std::filesystem::is_directory(beside, none))
        folders.push_back(beside);
    return folders;
}

} // namespace earwright::tests
