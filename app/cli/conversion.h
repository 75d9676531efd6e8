#pragma once

#include "app/cli/arguments.h"
#include "core/adapter/toolkit.h"
#include "core/base/result.h"
#include "core/check/check.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::cli {

/// A configuration of another toolkit written as a recipe.
struct Conversion {
    std::optional<adapter::Toolkit> toolkit; ///< none: it is no such configuration
    std::string text; ///< of no use where a diagnostic is an error
    std::vector<recipe::Diagnostic> diagnostics;
};

/// With the files of the model in whose folder the configuration lies. `numRanks`: of the run.
Conversion convertConfiguration(const check::Request& request, int64_t numRanks = 1);

/// The configuration in the folder of a released model; any other path as it is.
std::string configurationOf(const std::string& path);

/// Of FunASR's command lines: `++model=FOLDER` names the model where no word names a recipe, and
/// `++output_dir=DIR` the run's folder where `takesRunDir`. Whether the configuration of a model's
/// folder is to be trained. The error says that a model is not there: none is downloaded.
Result<bool> takeModel(Arguments& arguments, bool takesRunDir);

/// The recipe of the model's configuration in its place, with what was said of it. Options
/// (--precision) and overrides of keys that FunASR has not (++test_csv=…) stay overrides of it.
/// False where it has errors.
bool takeRecipe(check::Request& request, std::vector<recipe::Diagnostic>& said);

} // namespace earwright::cli
