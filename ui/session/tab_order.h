#pragma once

class QMainWindow;

namespace earwright::ui {

/// Moves the keyboard to the next or previous stop of the Tab key, around the end: first those of
/// the page in the middle, then of the docks left, right and below it, then all others. A dock
/// behind another's tab has none. False where there is no stop.
bool moveFocus(QMainWindow& window, bool forward);

} // namespace earwright::ui
