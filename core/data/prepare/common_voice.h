#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// One language of Mozilla Common Voice, unpacked: clips/*.mp3 and {train,dev,test}.tsv with the
/// columns client_id, path (with or without .mp3) and sentence; what validated.tsv has besides is
/// reported, and how many clips invalidated.tsv and other.tsv have. Rows with more or fewer fields
/// than the header are dropped with their line. `keepText`: as published; else small letters and
/// apostrophes (normalizeTranscript()), and sentences with digits are dropped, since who reads them
/// says words. Errors name a missing list or column.
Result<Corpus> readCommonVoice(
    const std::filesystem::path& folder, bool keepText, const GoOn& goOn);

} // namespace earwright::data
