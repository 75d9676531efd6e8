#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

enum class ParquetTexts {
    Normalized, ///< normalizeTranscript() without tags
    Kept, ///< as published
    Capitals, ///< capitalWords() with digits, as of People's Speech
};

struct ParquetOptions {
    std::filesystem::path folder = {}; ///< a dataset, or one of its files
    std::filesystem::path soundsFolder = {}; ///< its audio is written here, as SPLIT/ID.EXTENSION
    std::vector<std::string> subsets = {}; ///< folders of the dataset: files for training in others
                                           ///< are not read; none = all are
    ParquetTexts texts = ParquetTexts::Normalized;
};

/// A dataset of Hugging Face's in Parquet, audio inside: all *.parquet below the folder. The split
/// of a file is in its name ("train-00000-of-00002") or in the nearest folder's above it that tells
/// one; where none does, splitRest() decides. Columns: audio or wav, {bytes, path} or the bytes of
/// a file; text, sentence, transcription, transcript, normalized_text or wrd; perhaps id, ID,
/// audio_id or segment_id, else the sound's name; perhaps speaker_id, speaker, spk_id or client_id.
/// A row whose name is too long for a file is left out.
/// Errors: no such file, a subset without one, a file that is not read, and where this build reads
/// no Parquet.
Result<Corpus> readParquet(const ParquetOptions& options, const GoOn& goOn);

} // namespace earwright::data
