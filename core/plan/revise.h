#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::plan {

/// What a run is to go on with.
struct RevisionRequest {
    std::string recipeText; ///< its recipe.yaml as it lies there
    std::vector<std::string> words {}; ///< overrides as typed, on top of the plan's
    bool checkFiles = true; ///< as check::Request has it
    check::FileRule tokenRule = nullptr; ///< likewise
};

struct Revised {
    /// The plan with what changed; without its revision, whose time and step the caller knows.
    Plan plan;
    std::vector<std::string> changes; ///< "number_of_epochs: 20 in place of 10"; none = nothing did
};

/// The recipe of a run, perhaps edited, resolved anew with the plan's overrides and these words.
/// What may differ (revisable.h) goes into the plan, and with it what the schedule of the learning
/// rate makes of it by references; all else that differs is an error that names its keys, as is an
/// edit of such a setting that one of the plan's overrides hides. What the check of the changed
/// recipe says is in `found`.
Result<Revised> revise(const Plan& plan, const RevisionRequest& request,
    const check::Machine& machine, std::vector<recipe::Diagnostic>& found);

} // namespace earwright::plan
