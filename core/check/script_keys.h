#pragma once

#include "core/recipe/diagnostic.h"

#include <optional>
#include <span>
#include <string_view>

namespace earwright::check {

/// A key at the top of a recipe that SpeechBrain's training scripts read and Earwright does not.
struct ScriptKey {
    const char* name;
    std::optional<recipe::Severity> told; ///< none: nothing of a run hangs on it
    const char* why; ///< what holds in its place, for people
    const char* usual = ""; ///< the truth value with which nothing differs; "" = none
};

/// With those of known_keys.h, all that the scripts of the CTC and the joint recipes read
/// (tests/check/tst_script_keys.cpp).
std::span<const ScriptKey> scriptKeys();

/// Null where it is none of them.
const ScriptKey* findScriptKey(std::string_view name);

} // namespace earwright::check
