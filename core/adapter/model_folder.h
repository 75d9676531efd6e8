#pragma once

#include "core/adapter/adapt.h"

#include <string>

namespace earwright::adapter {

/// A configuration of FunASR with the files of the released model in whose folder it lies, as
/// FunASR adds them: those that `file_path_metas` of the configuration.json beside it names
/// (`frontend_conf: {cmvn_file: am.mvn}`) or, without such a file, those of FunASR's own names
/// beside config.yaml and model.pt. Paths are absolute. What an override sets stays. Unchanged
/// where the folder is no model's. A file that is named and not there is a warning (rule:
/// not-converted). `root`: resolved.
Adapted withModelFiles(const recipe::NodePtr& root, const std::string& fileName);

} // namespace earwright::adapter
