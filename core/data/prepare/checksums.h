#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// SHA-256 of every audio file of a corpus, and of the recordings that some were cut from. Where
/// the corpus ships a list (SHA256SUMS, sha256sum.txt or checksums.sha256 in its folder or in
/// Corpus::otherFolder, as sha256sum writes them, with --tag or without), utterances whose file, or
/// recording, differs from it are dropped, and audio that it names and that is not in its folder is
/// told among the dropped. So are utterances whose file, or recording, is no sound to its end:
/// readers decode only the last sample (probeAudio()).
/// All sums are written to `record`, in the same form with paths relative to the corpus's folder:
/// `cd CORPUS && sha256sum -c RECORD` looks at them again. A list of another's making stays, and
/// ours is checksums.earwright.sha256 beside it. Files that differ from our record that was there
/// before are told in the notes, each time: their earlier sums stay in it until somebody takes them
/// out. Lists with lines that are no SHA-256 are told there too. Of a corpus without audio nothing
/// is written. Reads every byte, on several threads. Errors: `goOn` ended it, the record cannot be
/// written.
Status checkSums(Corpus& corpus, const std::filesystem::path& folder,
    const std::filesystem::path& record, const GoOn& goOn);

/// Without sums: utterances whose file, or recording, is no sound to its end are dropped. Errors:
/// `goOn` ended it.
Status dropDamaged(Corpus& corpus, const std::filesystem::path& folder, const GoOn& goOn);

} // namespace earwright::data
