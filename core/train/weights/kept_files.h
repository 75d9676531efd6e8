#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::train {

// Files that a recipe names and that recognising reads: the list of `hotword`, WavFrontend's
// `cmvn_file`, the n-gram of `test_beam_search`, and the language models and n-grams that score in
// `valid_search` and `test_search`, where they are here; of a pretrained model's folder all but
// its weights (settings::keptHubFiles()). A run keeps copies of them beside its label encoder, so
// that it recognises from any working folder and, in a capsule, on any machine.

/// Copies them into the run's folder, each atomically; of a file that is gone a copy kept before
/// stays. Returns what to say of each that is another than was kept before. The error names key and
/// file.
Result<std::vector<std::string>> keepFiles(
    const recipe::Node& recipe, const std::filesystem::path& runFolder);

/// The recipe with the kept files in place of those that it names; as it is for a run that keeps
/// none. The run's folder is that of a pretrained encoder whose own is gone; its weights are those
/// of a checkpoint.
recipe::NodePtr withKeptFiles(const recipe::Node& recipe, const std::filesystem::path& runFolder);

} // namespace earwright::train
