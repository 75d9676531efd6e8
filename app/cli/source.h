#pragma once

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/run/capsule.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <memory>
#include <string>

namespace earwright::cli {

/// A trained model: a run and one of its checkpoints.
struct Source {
    run::RunFolder run;
    std::filesystem::path checkpoint;
    std::shared_ptr<const run::Capsule> capsule {}; ///< that both lie in; null = none
    std::shared_ptr<const TemporaryFolder> scratch {}; ///< that the checkpoint lies in, likewise
};

/// Of a run, by path or name, what its test error is of: the mean of its best checkpoints where its
/// recipe has avg_checkpoints above 1, made now where the run has not come to its test, else its
/// best checkpoint, else its last (train::judgedCheckpoint()); or a checkpoint that lies in a run;
/// or a capsule of `earwright export`. The error says what is missing.
Result<Source> sourceOf(const std::string& name);

} // namespace earwright::cli
