#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/check/check.h"
#include "core/plan/checked.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// A command that reads a recipe and what it takes beside --devices, --precision, --eval-precision:
/// an option of another command is an override here, and refused where the recipe has no such key.
struct Accepted {
    std::string command;
    std::vector<std::string> options {}; ///< with a value
    std::vector<std::string> flags {};
    bool takesKeys = false; ///< behind the recipe
};

/// The words of such a command, of FunASR's command lines too: takeModel(). The error says what is
/// wrong with them, or that none names a recipe.
Result<Arguments> parseRecipeWords(const Accepted& accepted, const std::vector<std::string>& words);

/// What a command line says of a recipe.
struct GivenRecipe {
    check::Request request; ///< of a model's folder: the recipe that its configuration becomes
    std::vector<recipe::Diagnostic> said; ///< of that conversion; with errors there is no recipe
};

/// The recipe that parseRecipeWords() found. The error says what cannot be read.
Result<GivenRecipe> givenRecipe(const Arguments& arguments, const check::Machine& machine);

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
