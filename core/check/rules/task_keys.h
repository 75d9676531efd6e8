#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::check::rules {

/// One thing a task reads: any of these keys, the first by preference.
struct Needed {
    std::vector<std::string> keys;
    const char* what;
    std::vector<std::string> losses = {}; ///< a loss: which of speechbrain.nnet.losses it can be
};

/// What a training procedure needs, and the keys whose objects it builds.
struct TaskKeys {
    const char* name;
    std::vector<Needed> needed;
    std::vector<const char*> built;
};

/// Null where no task is called so.
const TaskKeys* findTask(const std::string& name);
std::vector<std::string> taskNames();

/// The first key that belongs to a procedure of upstream's that no task is; null where none does.
const recipe::Entry* otherProcedure(const recipe::Node& root);

} // namespace earwright::check::rules
