#include "core/data/flac.h"

#include <memory>

// Of miniaudio only dr_flac, which its header declares with the implementation.
#define MINIAUDIO_IMPLEMENTATION
#define MA_API static
#define MA_NO_DEVICE_IO
#define MA_NO_ENCODING
#define MA_NO_ENGINE
#define MA_NO_GENERATION
#define MA_NO_MP3
#define MA_NO_NODE_GRAPH
#define MA_NO_RESOURCE_MANAGER
#define MA_NO_THREADING
#define MA_NO_WAV
#include <miniaudio.h>

namespace kymo::data {
namespace {

struct Closer {
    void operator()(ma_dr_flac* file) const { ma_dr_flac_close(file); }
};

} // namespace

std::vector<float> readFlac(const std::filesystem::path& path, int64_t frames, int channels)
{
    const std::unique_ptr<ma_dr_flac, Closer> file(ma_dr_flac_open_file(path.c_str(), nullptr));
    if (!file || file->channels != channels)
        return {};
    std::vector<float> samples(static_cast<size_t>(frames * channels));
    const ma_uint64 read = ma_dr_flac_read_pcm_frames_f32(
        file.get(), static_cast<ma_uint64>(frames), samples.data());
    samples.resize(static_cast<size_t>(read) * static_cast<size_t>(channels));
    return samples;
}

} // namespace kymo::data
