#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace kymo::data {

/// Reads the next `frames` of a file: samples in [-1, 1], channels interleaved. Returns how many
/// there were, fewer at the end and where what follows is broken.
using ReadFrames = std::function<int64_t(float* to, int64_t frames)>;

/// Of a FLAC file with so many channels, bit for bit what libsndfile gives. dr_flac (of miniaudio)
/// needs about two thirds of libFLAC's time, and leaves out a FLAC frame whose CRC-16 is wrong. Of
/// anything else no frames.
ReadFrames flacReader(const std::filesystem::path& path, int channels);

} // namespace kymo::data
