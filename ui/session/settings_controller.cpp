#include "ui/session/settings_controller.h"

#include "ui/editor/recipe_tabs.h"
#include "ui/session/notifications_controller.h"
#include "ui/session/runs_controller.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/when_done.h"

#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

/// As a shell takes it: "~" is the home folder. A relative path counts from the working folder.
QString typedFolder(const QString& typed)
{
    const bool isOfHome = typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/"));
    const QString path = isOfHome ? QDir::homePath() + typed.sliced(1) : typed;
    return QDir::cleanPath(QDir::current().absoluteFilePath(path));
}

} // namespace

SettingsController::SettingsController(
    const WindowParts& parts, RunsController& runs, NotificationsController& notifications)
    : m_parts(parts)
    , m_runs(runs)
    , m_notifications(notifications)
{
}

WindowSettings SettingsController::settings() const
{
    return { .editorFont = m_parts.recipes->editorFont(),
        .theme = m_parts.theme.mode(),
        .runsRoot = m_runs.root(),
        .isNotifying = m_notifications.isOn() };
}

void SettingsController::ask()
{
    auto* dialog = new SettingsDialog(settings(), &m_parts.window);
    connect(dialog, &SettingsDialog::chosen, this, &SettingsController::set);
    dialog->open();
}

void SettingsController::set(const WindowSettings& settings)
{
    m_parts.recipes->setEditorFont(settings.editorFont);
    m_notifications.setOn(settings.isNotifying);
    if (settings.theme != m_parts.theme.mode())
        m_parts.actions->find(themeActionOf(settings.theme))->trigger();
    const QString root = typedFolder(settings.runsRoot);
    if (!settings.runsRoot.isEmpty() && root != m_runs.root())
        setRunsRoot(root);
}

/// It may be made later: the first run that is started there makes it.
void SettingsController::setRunsRoot(const QString& root)
{
    m_runs.setRoot(root);
    const auto isThere = [root] { return QFileInfo(root).isDir(); };
    whenDone(QtConcurrent::run(isThere), this, [this, root](bool isFolder) {
        if (!isFolder && root == m_runs.root())
            m_parts.bar->showMessage(Tone::Warning,
                tr("There is no folder '%1': no runs are listed. Choose another runs folder in the "
                   "settings, or start a run there.")
                    .arg(root));
    });
}

} // namespace earwright::ui
