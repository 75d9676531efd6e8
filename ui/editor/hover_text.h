#pragma once

#include "core/language/hover.h"

#include <QPalette>
#include <QString>
#include <vector>

namespace earwright::ui {

/// What a tooltip says, as rich text: the problems there with their fixes, then what is known of
/// the word: its resolved value, help and where it came from. "" where there is nothing to say.
QString hoverText(const std::vector<recipe::Diagnostic>& problems,
    const std::optional<language::Hover>& hover, const QPalette& palette);

} // namespace earwright::ui
