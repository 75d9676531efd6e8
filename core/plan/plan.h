#pragma once

#include "core/base/result.h"
#include "core/catalog/run_options.h"
#include "core/check/check.h"
#include "core/recipe/node.h"
#include "core/settings/settings.h"

#include <map>
#include <string>
#include <vector>

namespace earwright::plan {

using catalog::RunOptions;
using check::Provenance;
using settings::Settings;

/// What a resume has changed.
struct Revision {
    std::string time; ///< "2026-11-27T16:40:00+0000"
    int64_t step = 0; ///< optimizer steps done by then
    std::vector<std::string> changes; ///< "number_of_epochs: 20 in place of 10"
};

/// What a run is, fully resolved: nothing is decided after this but by a resume (revise.h).
struct Plan {
    std::string name; ///< for people: the recipe's file name without ending
    std::string recipeFile; ///< path as given; of a run, absolute
    std::string recipeText; ///< as written
    std::string workingFolder; ///< of a run: relative paths count from there; "" = not known
    std::vector<std::string> overrides; ///< as typed
    /// Resolved: objects are built of it, and it is shown. What it says as values stands in
    /// `settings`; setRecipe() sets both.
    recipe::NodePtr recipe;
    Settings settings {};
    std::vector<std::string> devices; ///< one per rank: "cpu" or "cuda:N" with N < number of GPUs
    RunOptions options;
    std::vector<Provenance> provenance;
    std::map<std::string, std::string> places; ///< of the recipe's keys: "ctc_lin" -> "ctc.yaml:52"
    std::vector<Revision> revisions {}; ///< in their order
    /// What the recipe as written says where an override counts, by the override's path.
    std::map<std::string, std::string> overridden {};
    /// Of a run's recipe.yaml and resolved.yaml as they were written with the plan; "" = not known.
    std::string recipeSha256 {};
    std::string resolvedSha256 {};

    /// Sets the resolved tree, its run options and what it says as values.
    void setRecipe(recipe::NodePtr resolved, RunOptions given);
};

/// {"version", "name", "recipe_file", "working_folder", "overrides", "devices", "options",
/// "provenance", "places", "revisions", "overridden", "recipe_sha256", "resolved_sha256"}; the
/// recipe's tree is resolved.yaml beside it.
std::string planToJson(const Plan& plan);
/// Reads planToJson's text and the resolved recipe. Errors: malformed, or a newer version.
Result<Plan> planFromJson(const std::string& json, const std::string& resolvedYaml);
/// The same without the recipe's tree, which takes longest to read.
Result<Plan> settingsFromJson(const std::string& json);

} // namespace earwright::plan
