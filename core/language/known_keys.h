#pragma once

#include "core/language/document.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kymo::language {

/// A key that the top level of a recipe may have besides the run options.
struct KnownKey {
    const char* name;
    const char* detail; ///< what stands there: "Fbank or another front end"
    const char* help;
};

/// What the training tasks read, and what recipes by custom have.
std::span<const KnownKey> knownKeys();
const KnownKey* findKnownKey(std::string_view name);

/// Devices of the machine as a recipe's `device` names them.
std::vector<std::string> deviceNames(const check::Machine& machine);

} // namespace kymo::language
