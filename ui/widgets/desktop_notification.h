#pragma once

#include <QString>

namespace earwright::ui {

/// Asks the desktop to show a message (Notify of org.freedesktop.Notifications on the session bus);
/// nothing where no desktop listens. Does not wait.
void showOnDesktop(const QString& title, const QString& text);

} // namespace earwright::ui
