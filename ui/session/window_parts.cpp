#include "ui/session/window_parts.h"

#include "ui/widgets/info_bar.h"

#include <QMainWindow>
#include <QStatusBar>

namespace earwright::ui {

void complain(const WindowParts& parts, const QString& message)
{
    parts.window.statusBar()->clearMessage();
    parts.bar->showMessage(Tone::Bad, message);
}

} // namespace earwright::ui
