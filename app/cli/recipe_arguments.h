#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/check/check.h"
#include "core/plan/checked.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// Of the commands that read a recipe.
inline const std::vector<std::string> kRecipeOptions { "--devices", "--precision",
    "--eval-precision", "--format" };

/// A command that makes a plan and what it takes beside --devices, --precision, --eval-precision:
/// an option of another command is an override here, and refused where the recipe has no such key.
struct Accepted {
    std::string command;
    std::vector<std::string> options {}; ///< with a value
    std::vector<std::string> flags {};
};

/// A recipe named on a command line, or the configuration in a model's folder, with everything that
/// was said about it. The error says what cannot be read.
Result<check::Request> requestFrom(const Arguments& arguments);

/// Diagnostics as text on standard error, then "N errors, M warnings"; nothing where there are
/// none. `made`: a recipe that lies in no file; null: none.
void printDiagnostics(
    const std::vector<recipe::Diagnostic>& diagnostics, const check::Request* made = nullptr);

/// Parses the words of a command that takes a recipe, or the folder of a model of FunASR whose
/// configuration becomes one (`FOLDER` or `++model=FOLDER`), checks it on this machine, prints what
/// is wrong. `exitCode` is set where no plan came out.
std::optional<plan::Plan> planFrom(const Accepted& accepted, const std::vector<std::string>& words,
    Arguments& arguments, int& exitCode);

} // namespace earwright::cli
