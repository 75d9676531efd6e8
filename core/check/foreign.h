#pragma once

#include "core/adapter/toolkit.h"
#include "core/check/context.h"

namespace earwright::check {

/// Whose configuration a text is, none for a recipe.
std::optional<adapter::Toolkit> toolkitOf(const Request& request);

/// The rules for a configuration of another toolkit, over the objects that its sections stand for:
/// no task of ours, no `modules`. Rules: classes' and arguments', no-effect, precision's,
/// foreign-configuration.
void checkForeign(const Context& context, adapter::Toolkit toolkit, Diagnostics& found);

} // namespace earwright::check
