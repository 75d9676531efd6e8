#pragma once

#include "core/data/flac.h"
#include "core/data/sound_file.h"

#include <string>

namespace earwright::data {

/// What libsndfile opened.
struct OpenedFile {
    SoundFile file;
    SF_INFO info {};
};

/// "cannot read audio 'x.wav': …"
Error cannotRead(const std::filesystem::path& path, const std::string& why);

/// Opens the file and reads its header. Errors as readAudioInfo().
Result<OpenedFile> openFile(const std::filesystem::path& path);

/// To be read from its beginning on: FLAC, whatever its name, by openFlac(), all else by
/// libsndfile. Errors as readAudioInfo().
Result<Sound> openSound(const std::filesystem::path& path);

/// Whether libsndfile finds any sample without those before it, and gives it to the bit: each is
/// coded by itself, or in blocks (FLAC).
bool isFoundAnywhere(const SF_INFO& info);

AudioInfo infoOf(const SF_INFO& info);

} // namespace earwright::data
