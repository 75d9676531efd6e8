#pragma once

#include "core/adapter/toolkit.h"
#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::adapter {

/// The override, as typed, that added an entry or set its value; "" where none did.
std::string overrideOf(const recipe::Entry& entry);

/// Takes out of the object of a section what an override added to it and its class does not take,
/// with an error for each (rule: unknown-override); where the class takes whatever it is given, an
/// error for what looks misspelt or misplaced, and a warning for the rest (rule: unread-key).
/// `section`: its key and object.
void refuseUnknown(
    const recipe::Entry& section, Toolkit toolkit, std::vector<recipe::Diagnostic>& diagnostics);

/// Takes out of the top what FunASR's trainer reads below train_conf only: an error for an override
/// (rule: unknown-override), a warning for a line of the file (rule: unread-key).
void refuseMisplaced(
    recipe::Node& root, Toolkit toolkit, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace earwright::adapter
