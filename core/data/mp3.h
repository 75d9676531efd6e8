#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace earwright::data {

/// Samples a channel of an MP3 file whose first frame does not tell how many there are, as files
/// that were encoded into a pipe are: libsndfile then guesses by the size of the file, with its
/// tags. None where the first frame tells (Xing, Info, VBRI) and of what is no sequence of frames.
std::optional<int64_t> countedMp3Samples(const std::filesystem::path& path);

} // namespace earwright::data
