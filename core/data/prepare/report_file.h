#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace kymo::data {

/// What becomes of the manifests that an earlier preparation made and this one has not.
enum class Earlier { Removed, Kept };

/// Writes a report as `folder`/kymo-prepared.json: the manifests with their SHA-256, the notes and,
/// by reason, the names of all that was left out. Earlier manifests are those that this file names;
/// one that was changed since is never removed. The notes tell what was. Errors: the file cannot be
/// written.
Result<PrepareReport> keepReport(
    PrepareReport report, const std::filesystem::path& folder, Earlier earlier);

} // namespace kymo::data
