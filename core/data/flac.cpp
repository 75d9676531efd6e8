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

namespace earwright::data {

std::optional<Sound> openFlac(const std::filesystem::path& path)
{
    const std::shared_ptr<ma_dr_flac> file(
        ma_dr_flac_open_file(path.c_str(), nullptr), ma_dr_flac_close);
    if (!file || file->totalPCMFrameCount == 0 || file->sampleRate == 0)
        return std::nullopt;
    return Sound { { static_cast<int64_t>(file->totalPCMFrameCount),
                       static_cast<int>(file->sampleRate), file->channels },
        [file](float* to, int64_t frames) {
            return static_cast<int64_t>(
                ma_dr_flac_read_pcm_frames_f32(file.get(), static_cast<ma_uint64>(frames), to));
        } };
}

} // namespace earwright::data
