#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>

namespace earwright::data {

/// A user's own list of recordings: a CSV with a column of each of the first two kinds, and
/// optionally of the others; a JSON object of utterances by their ID, a list of them, lines with
/// one each or a single one, with members of these names. A text may be a list of words.
///   wav, path, file, file_name, audio, audio_filepath, source
///   text, wrd, sentence, words, txt, transcript, transcription, target
///   id, ID, key; without it files are named by their names, or paths where two have the same name
///   speaker, spk_id
///   split: train, dev or test, or what groupOf() takes for one; eval is dev, and test where
///   another name is dev
///   offset (seconds), start (samples beside a stop, else seconds): where the utterance begins in
///   its recording
///   duration, end (seconds), stop (samples): where it ends, the earliest of them; where that is
///   behind the recording's end (extent.h) the notes tell so, and an `end`, whose unit lists differ
///   in, leaves the row out
/// WeNet's data.list, NeMo's manifests, FunASR's and SpeechBrain's lists are such. What is a part
/// of its recording is cut out of it; without an ID it is named by the file and its place in it.
struct OwnListOptions {
    std::filesystem::path file = {}; ///< JSON where it is named .json or begins as such
    std::filesystem::path outFolder = {}; ///< parts of recordings are written to its segments
    std::filesystem::path audioRoot = {}; ///< of relative paths and for $data_root; "" = the list's
                                          ///< folder
    bool normalizeText = true; ///< no tags (withoutTags()), small letters and apostrophes only:
                               ///< normalizeTranscript(); texts with digits are left out
    std::string language = {}; ///< of the texts, for their small letters
};

/// Utterances without a split get one by splitRest(); equal texts may then be in two. Rows that
/// cannot be used are dropped with their line, and their ID where a line has several; errors name
/// file and line where the list itself is wrong.
Result<Corpus> readOwnList(const OwnListOptions& options, const GoOn& goOn);

} // namespace earwright::data
