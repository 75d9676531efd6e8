#pragma once

#include "core/base/result.h"
#include "core/settings/manifest_keys.h"

#include <filesystem>
#include <functional>
#include <string>

namespace earwright::data {

/// Sees the ID and the text of a row as they are written. It may change the text; false = the row
/// is left out.
using EditManifestRow = std::function<bool(const std::string& id, std::string& text)>;

struct RewrittenManifest {
    std::string text;
    std::string column; ///< that had the texts, or in JSON the member of the last row
};

/// The text of a manifest (CSV, JSON or JSON Lines, by its ending) with its rows edited, in their
/// order. The rest of a row stays as it is, in JSON byte by byte, but for FunASR's `target_len` of
/// an edited text. Errors name file and line: no ID, no text, malformed.
Result<RewrittenManifest> rewriteManifest(const std::filesystem::path& manifest,
    const settings::ManifestColumns& columns, const EditManifestRow& edit);

} // namespace earwright::data
