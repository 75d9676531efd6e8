#pragma once

#include "core/base/result.h"
#include "core/run/capsule.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <memory>
#include <string>

namespace kymo::cli {

/// A trained model: a run and one of its checkpoints.
struct Source {
    run::RunFolder run;
    std::filesystem::path checkpoint;
    std::shared_ptr<const run::Capsule> capsule {}; ///< that both lie in; null = none
};

/// Of a run, by path or name, its best checkpoint, else its last; or a checkpoint that lies in a
/// run; or a capsule of `kymo export`. The error says what is missing.
Result<Source> sourceOf(const std::string& name);

} // namespace kymo::cli
