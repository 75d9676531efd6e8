#pragma once

namespace earwright::ui {

/// From now on screen readers call each combo box by its label and tell its choice as its value. On
/// Linux Qt has the choice for both. Again = nothing more.
void nameCombosByTheirLabels();

} // namespace earwright::ui
