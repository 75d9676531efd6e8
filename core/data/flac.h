#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace kymo::data {

/// The samples of a FLAC file in [-1, 1], channels interleaved, bit for bit as libsndfile gives
/// them. dr_flac (of miniaudio) needs about two thirds of libFLAC's time. At most `frames` a
/// channel; fewer where the file is cut short or its checksums (CRC-16 of each FLAC frame) are
/// wrong; none where it is no FLAC file with `channels`.
std::vector<float> readFlac(const std::filesystem::path& path, int64_t frames, int channels);

} // namespace kymo::data
