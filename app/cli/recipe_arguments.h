#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/check/check.h"
#include "core/plan/checked.h"

#include <string>
#include <vector>

namespace kymo::cli {

inline const std::vector<std::string> kRecipeOptions { "--devices", "--precision",
    "--eval-precision", "--run-dir", "--runs-dir", "--format", "--precisions" };

/// A recipe named on a command line with everything that was said about it. The error says what
/// cannot be read.
Result<check::Request> requestFrom(const Arguments& arguments);

/// Diagnostics as text on standard error, then "N errors, M warnings"; nothing where there are
/// none.
void printDiagnostics(const std::vector<recipe::Diagnostic>& diagnostics);

/// Parses the words of a command that takes a recipe, checks it on this machine, prints what is
/// wrong. `exitCode` is set where no plan came out.
std::optional<plan::Plan> planFrom(const std::string& command,
    const std::vector<std::string>& words, Arguments& arguments, int& exitCode);

} // namespace kymo::cli
