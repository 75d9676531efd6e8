#pragma once

#include <cstdint>
#include <filesystem>

namespace earwright::data {

/// Bytes that the `data` chunk of a WAV file promises but the file does not have: a copy broke off.
/// libsndfile reads such a file as a shorter recording and says nothing. 0 for whole files, for
/// what is no RIFF file and where the header leaves the length open, as programs writing into a
/// pipe do.
int64_t missingWavBytes(const std::filesystem::path& path);

} // namespace earwright::data
