#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

struct RepeatedId {
    std::string id;
    int line = 0; ///< where it is given again, from 1
    int firstLine = 0;
};

/// Every id of a manifest that is given again. None where the file is no manifest: readManifest()
/// says why.
std::vector<RepeatedId> repeatedIds(const std::filesystem::path& manifest);

/// The same for who has read all ids already: the file is read only where two have one hash, as a
/// million ids take too much memory.
uint64_t idHash(std::string_view id);
std::vector<RepeatedId> repeatedIds(
    const std::filesystem::path& manifest, std::vector<uint64_t> hashes);

} // namespace earwright::data
