#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::adapter {

/// The arguments of `section`'s class that the toolkit itself adds when it builds the object, as a
/// recipe gives them: the features per frame from the front end, `!ref`s to the width of the
/// encoder and to `vocab_size`. Only those that the class requires and the configuration leaves
/// out; one whose value cannot be told has a null value. `adapted`: the root of adapt().
std::vector<recipe::Entry> givenSizes(
    const recipe::Node& adapted, const std::string& section, const recipe::Node& object);

} // namespace earwright::adapter
