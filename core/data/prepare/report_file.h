#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace earwright::data {

/// What to do with a folder whose files are another's, of `earwright prepare`.
inline constexpr const char* kTakeAnotherFolder = "choose another folder with --out";

/// For before a corpus is read, which may take hours: an error where no manifest can be written to
/// `folder`, or one of `names` is there as NAME.csv that prepareFolder() would not write over.
/// `otherwise` is what to do then but to move it away.
Status checkFolder(const std::filesystem::path& folder, const std::vector<std::string>& names,
    const std::string& otherwise = kTakeAnotherFolder);

/// What becomes of the manifests that an earlier preparation made and this one has not.
enum class Earlier { Removed, Kept };

/// Writes a report as `folder`/earwright-prepared.json: the manifests with their SHA-256, the notes
/// and, by reason, the names of all that was left out. Earlier manifests are those that this file
/// names; one that was changed since is never removed. The notes tell what was. Errors: the file
/// cannot be written.
Result<PrepareReport> keepReport(
    PrepareReport report, const std::filesystem::path& folder, Earlier earlier);

/// writeManifests() of all that a folder is to have, with the report; earlier manifests are
/// removed. An error, and nothing is written, where one of the files is there and is not, byte for
/// byte, what the report of `folder` says an earlier preparation made: nobody's manifest is written
/// over.
Result<PrepareReport> prepareFolder(const Corpus& corpus,
    const std::map<std::string, std::filesystem::path>& files, const std::filesystem::path& folder);

} // namespace earwright::data
