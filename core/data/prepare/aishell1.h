#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// AISHELL-1 (OpenSLR 33): wav/{train,dev,test}/SPEAKER/ID.wav and
/// transcript/aishell_transcript_v0.8.txt. `folder` is data_aishell or the folder that holds it.
/// `keepText`: as published, words parted by blanks; else without them. Speakers' archives
/// (wav/SPEAKER.tar.gz) are unpacked where they lie, as SpeechBrain's prepare_aishell does; where
/// nobody may write there they are told among the dropped. Errors: no transcripts, an archive that
/// is damaged, archives that cannot be unpacked and no speaker of the training beside them.
Result<Corpus> readAishell1(const std::filesystem::path& folder, bool keepText, const GoOn& goOn);

} // namespace earwright::data
