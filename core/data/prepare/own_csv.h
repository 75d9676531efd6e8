#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace kymo::data {

/// A user's own list of recordings: a CSV with columns `wav` and `text` (or `wrd`, `sentence`,
/// `words`), and optionally `id` (or `ID`), `speaker` (or `spk_id`) and `split` (train, dev or
/// test); or a JSON object of utterances by their ID, or a list of them, with members of these
/// names.
struct OwnCsvOptions {
    std::filesystem::path file = {};
    std::filesystem::path outFolder = {};
    std::filesystem::path audioRoot = {}; ///< of relative paths and for $data_root; "" = the list's
                                          ///< folder
    bool normalizeText = true; ///< small letters and apostrophes only: normalizeTranscript()
};

/// Without `split` an eighth each goes to dev and test by a
/// hash of the speaker (where there are at least 16, so that no voice is in two splits), else of
/// the ID; equal texts may then be in two. Rows that cannot be used are dropped with their line;
/// errors name file and line where the list itself is wrong.
Result<Corpus> readOwnCsv(const OwnCsvOptions& options, const GoOn& goOn);
Result<PrepareReport> prepareOwnCsv(const OwnCsvOptions& options);

} // namespace kymo::data
