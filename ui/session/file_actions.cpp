#include "ui/launch/translated.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_controllers.h"

#include <QMainWindow>

namespace earwright::ui {

void addFileActions(const WindowParts& parts, const ControllersPtr& c)
{
    WindowActions& actions = *parts.actions;
    actions.add("file.new", translated("&New Recipe…"), "document-new", QKeySequence::New,
        [&c] { c->recipes.create(); });
    actions.add("file.open", translated("&Open Recipe or Capsule…"), "document-open",
        QKeySequence::Open, [&c] { c->capsules.chooseFiles(); });
    actions.add("file.closeCapsule", translated("C&lose Capsule"), "window-close", {},
        [&c] { c->capsules.close(); });
    actions.add("file.runsRoot", translated("Choose &Runs Folder…"), "folder-open", {},
        [&c] { c->runs.chooseRoot(); });
    actions.add("file.settings", translated("Sett&ings…"), "configure",
        QKeySequence(Qt::CTRL | Qt::Key_Comma), [&c] { c->settings.ask(); });
    actions
        .add("file.restoreSession", translated("Res&tore the Last Session"), "", {},
            [&c] { c->session.restoreHeld(); })
        ->setEnabled(false);
    actions.add("file.quit", translated("&Quit"), "", QKeySequence(Qt::CTRL | Qt::Key_Q),
        [&parts] { parts.window.close(); });
}

} // namespace earwright::ui
