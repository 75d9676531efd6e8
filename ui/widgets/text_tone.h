#pragma once

#include "ui/widgets/theme.h"

#include <optional>

class QWidget;

namespace earwright::ui {

/// The colour of a label's text: a tone's in every theme, after a change of it too; none = the
/// palette's.
void setTextTone(QWidget& label, std::optional<Tone> tone);

} // namespace earwright::ui
