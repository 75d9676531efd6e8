#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::cli {

/// A file that a command is to write, as messages name it.
struct Output {
    std::string name; ///< "--out"
    std::filesystem::path file;
};

// Each command asks before its work what its outputs would destroy. Files count as one by whatever
// name or link they are reached.

/// An error where the output is one of the files to be read, which it names.
Status sparesInputs(const Output& output, const std::vector<std::string>& inputs);

/// An error where it is a pipe or a device: what is written whole can only become a file.
Status becomesFile(const Output& output);

/// An error where two outputs are one file, there already or not.
Status areApart(const std::vector<Output>& outputs);

/// An error where the output is there already and in the run's folder; a new file may lie there.
Status sparesRun(const std::filesystem::path& output, const run::RunFolder& run);

} // namespace earwright::cli
