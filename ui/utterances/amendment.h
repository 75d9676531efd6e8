#pragma once

#include "core/data/amendments.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::ui {

/// Something to be noted of a manifest: another transcript of one utterance, or which utterances a
/// new manifest leaves out.
struct Amendment {
    std::filesystem::path manifest;
    settings::ManifestColumns columns {};
    std::vector<std::string> ids {};
    std::optional<std::string> text {}; ///< of the one utterance; none = quarantine
    bool isQuarantined = false;
};

/// What is noted now, and what takes it back.
struct Amended {
    data::Amendments amendments;
    Amendment inverse;
};

/// Writes it down. Reads and writes files: not in the GUI thread. Errors: those of
/// data::correctTranscript() and data::setQuarantined().
Result<Amended> carryOut(const Amendment& amendment);

/// The transcript of the first of its `ids`, as the manifest has it: of a run that normalises texts
/// the reference is another. Reads the manifest: not in the GUI thread. Errors: an ID that it has
/// not, a manifest that cannot be read.
Result<std::string> ownTextOf(const Amendment& amendment);

} // namespace earwright::ui
