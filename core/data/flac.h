#pragma once

#include "core/data/audio.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace earwright::data {

/// Reads the next `frames` of a file: samples in [-1, 1], channels interleaved. Returns how many
/// there were, fewer at the end and where what follows is broken.
using ReadFrames = std::function<int64_t(float* to, int64_t frames)>;

/// A sound file that is open.
struct Sound {
    AudioInfo info;
    ReadFrames read;
    /// Why the last read gave nothing, where its decoder says; "" at the end.
    std::function<std::string()> whyNothing = {};
};

/// A FLAC file, bit for bit what libsndfile gives. dr_flac (of miniaudio) needs about two
/// thirds of libFLAC's time, and leaves out a FLAC frame whose CRC-16 is wrong. None of anything
/// else, and of a file whose header does not say how long it is or at what rate.
std::optional<Sound> openFlac(const std::filesystem::path& path);

} // namespace earwright::data
