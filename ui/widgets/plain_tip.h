#pragma once

#include <QString>

namespace earwright::ui {

/// Any text as a tool tip that shows it letter for letter. Qt takes a tip that looks like HTML for
/// HTML: of `!ref <head>` it shows the beginning alone, and a file's text could draw, or load a
/// picture from where reading never ends. A long line wraps; what is more than a tip holds is left
/// out. Whatever was not written in this program reaches a tip through here (for labels: Style).
QString plainTip(const QString& text);

/// What a tip holds of a text, with '…' in place of the rest.
QString beginningOf(const QString& text);

} // namespace earwright::ui
