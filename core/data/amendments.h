#pragma once

#include "core/base/result.h"
#include "core/settings/manifest_keys.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

/// A transcript that a manifest has wrong.
struct Correction {
    std::string id;
    std::string oldText; ///< as the manifest has it
    std::string newText;

    bool operator==(const Correction&) const = default;
};

/// What people found wrong in a manifest. It lies in two files beside the manifest, which itself is
/// never touched.
struct Amendments {
    std::vector<Correction> corrections {}; ///< in the order they were made; one an ID
    std::vector<std::string> quarantined {}; ///< IDs to be left out, in the order they were named

    bool operator==(const Amendments&) const = default;
};

/// MANIFEST.corrections.csv, of the columns ID, old, new; there while there is a correction.
std::filesystem::path correctionsFile(const std::filesystem::path& manifest);
/// MANIFEST.quarantine.txt, an ID a line; there while there is an ID.
std::filesystem::path quarantineFile(const std::filesystem::path& manifest);

/// What both files say; a file that is not there says nothing. Errors: a file that cannot be read,
/// or that is of another kind; by its line a correction that is no UTF-8, or the second of an ID.
Result<Amendments> readAmendments(const std::filesystem::path& manifest);

/// Notes that the transcript of this utterance is to be `newText`, or no correction where the
/// manifest has that text already. Gives what is noted then. Reads the manifest for the old text:
/// an ID that it has not is an error, and so is a text that is no UTF-8. `columns`: those that the
/// recipe reads. Whoever else notes something of this manifest waits meanwhile, in setQuarantined()
/// too: so nothing that was noted is lost.
Result<Amendments> correctTranscript(const std::filesystem::path& manifest, const std::string& id,
    const std::string& newText, const settings::ManifestColumns& columns = {});

/// Notes which utterances are to be left out, or that they are not. Gives what is noted then.
Result<Amendments> setQuarantined(
    const std::filesystem::path& manifest, const std::vector<std::string>& ids, bool isQuarantined);

/// What became of a manifest.
struct AmendedManifest {
    int64_t rows = 0; ///< that were written
    int64_t corrected = 0;
    int64_t leftOut = 0;
};

/// Writes the manifest anew: with the corrections, and without what is quarantined. `out` has the
/// same ending and is a new file. Errors, and nothing is written: a correction whose old text is
/// not the manifest's, with the column that has it, or an ID that it has not, by their names; a
/// manifest that cannot be read.
Result<AmendedManifest> writeAmendedManifest(const std::filesystem::path& manifest,
    const std::filesystem::path& out, const settings::ManifestColumns& columns = {});

} // namespace earwright::data
