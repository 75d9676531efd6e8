#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace kymo::data {

/// A user's own list of recordings: a CSV with columns `wav` and `text` (or `wrd`), and optionally
/// `id` (or `ID`), `speaker` (or `spk_id`) and `split` (train, dev or test).
struct OwnCsvOptions {
    std::filesystem::path file = {};
    std::filesystem::path outFolder = {};
    bool normalizeText = true; ///< small letters and apostrophes only: normalizeTranscript()
};

/// Paths are relative to the CSV's folder. Without `split` an eighth each goes to dev and test by a
/// hash of the speaker (where there are at least 16, so that no voice is in two splits), else of
/// the ID; equal texts may then be in two. Rows that cannot be used are dropped with their line;
/// errors name file and line where the CSV itself is wrong.
Result<PrepareReport> prepareOwnCsv(const OwnCsvOptions& options);

} // namespace kymo::data
