#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/event.h"
#include "core/run/run_folder.h"

#include <string>
#include <vector>

namespace earwright::engine {

/// A run as it goes on.
struct Resumption {
    plan::Plan plan;
    std::vector<run::Message> notes; ///< for its log
    std::string finished {}; ///< finishedWords(): nothing is left to do, and nothing was changed
};

/// One sentence where nothing is left to do of a run that ended as done, as it goes on with `plan`,
/// whose `changes` (as plan::Revised has them) are not in its folder yet: no epoch or step, and no
/// test, which an attempt that was cut off, another search or another test set asks for. It says
/// what to write to go on. "" where something is left.
std::string finishedWords(const run::RunFolder& folder, const plan::Plan& plan,
    const std::vector<std::string>& changes = {});

/// The plan of a run that is to go on, with what `words` (overrides as typed) and an edit of its
/// recipe.yaml change (plan/revise.h): then the plan's files are replaced. Errors: somebody runs
/// it, a setting that may not change, an end that lies before where the run is, an edited
/// resolved.yaml. What the check of the changed recipe says is in `found`. Enters the run's working
/// folder meanwhile, from which its relative paths count.
Result<Resumption> prepareResume(const run::RunFolder& folder, const plan::Plan& plan,
    const std::vector<std::string>& words, std::vector<recipe::Diagnostic>& found);

/// An Error where files of the plan were edited: the ranks read them as they were written. For
/// ranks that another launcher starts, before which nobody called prepareResume().
Status checkUnedited(const run::RunFolder& folder, const plan::Plan& plan);

} // namespace earwright::engine
