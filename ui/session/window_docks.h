#pragma once

class QDockWidget;

namespace earwright::ui {

struct WindowParts;

/// Makes the panels of `parts` and their docks, each with an action that shows or hides it.
void buildDocks(WindowParts& parts);
/// Shows a dock, before those that lie in its place.
void bringForward(QDockWidget* dock);

} // namespace earwright::ui
