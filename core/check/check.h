#pragma once

#include "core/catalog/run_options.h"
#include "core/check/machine.h"
#include "core/recipe/resolve.h"
#include "core/settings/provenance.h"

#include <string>
#include <vector>

namespace earwright::check {

using settings::Provenance;

/// A rule that needs a library which this one does not link, such as data::checkTokens: the
/// resolved recipe and the request's file name -> diagnostics.
using FileRule
    = std::vector<recipe::Diagnostic> (*)(const recipe::Node& recipe, const std::string& fileName);

struct Request {
    std::string text; ///< the recipe as written
    std::string fileName;
    std::vector<recipe::Override> overrides; ///< `devices`, `precision`, `eval_precision` given as
                                             ///< options are overrides with Origin::Option
    std::string devices = "auto"; ///< as parseDevices reads it
    bool checkFiles = true; ///< look at manifests on disk (missing file, missing column)
    FileRule tokenRule = nullptr; ///< data::checkTokens, with `checkFiles`; null: not asked
};

/// Everything the rules found and, as far as it could be read, what the run would use.
struct Findings {
    std::vector<recipe::Diagnostic> diagnostics; ///< resolve's and the rules', ordered by place
    recipe::NodePtr recipe; ///< resolved, with the task that it names or that is inferred; null
                            ///< where it does not parse
    recipe::NodePtr written; ///< the same before its references are resolved
    std::vector<std::string> devices; ///< one per rank
    catalog::RunOptions options;
    std::vector<Provenance> provenance;
};

/// Text + overrides + machine facts -> every diagnostic there is. Pure but for checkFiles.
Findings check(const Request& request, const Machine& machine);

/// "cpu" | "cpu:2" (two CPU ranks) | "cuda" | "cuda:0" | "cuda:0,1" | "auto" -> one device per
/// rank. Case does not matter; the machine's GPUs bound N. The error lists what is accepted, or
/// says why CUDA can use no GPU.
Result<std::vector<std::string>> parseDevices(const std::string& text, const Machine& machine);

} // namespace earwright::check
