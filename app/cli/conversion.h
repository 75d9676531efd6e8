#pragma once

#include "app/cli/recipe_arguments.h"
#include "core/base/result.h"
#include "core/check/check.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// A configuration of another toolkit written as a recipe.
struct Conversion {
    std::string text; ///< of no use where a diagnostic is an error
    std::vector<recipe::Diagnostic> diagnostics;
};

/// With the files of the model in whose folder the configuration lies. `numRanks`: of the run.
/// What is no such configuration is an error, as is what its conversion refuses.
Conversion convertConfiguration(const check::Request& request, int64_t numRanks = 1);

/// The configuration in the folder of a released model; any other path as it is.
std::string configurationOf(const std::string& path);

/// Whether it is the folder of a released model, whose configuration becomes a recipe.
bool isModelFolder(const std::string& path);

/// Of FunASR's command lines: `++model=FOLDER` names the model where no word names a recipe, and
/// `++output_dir=DIR` the run's folder where the command takes --run-dir. The error says that a
/// model is not there, as none is downloaded, or that the run has two folders.
Status takeModel(Arguments& arguments, const Accepted& accepted);

/// Puts the recipe in the place of the model's configuration. Options (--precision) and overrides
/// of keys that FunASR does not have (++test_csv=…) stay overrides of it. Returns what is to be
/// said of the conversion; where that has errors, the request is of no use.
std::vector<recipe::Diagnostic> becomeRecipe(
    check::Request& request, const check::Machine& machine);

} // namespace earwright::cli
