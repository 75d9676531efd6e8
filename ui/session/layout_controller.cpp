#include "ui/session/layout_controller.h"

#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QStatusBar>
#include <QToolBar>
#include <utility>

namespace earwright::ui {
namespace {

constexpr int kStateVersion = 2; ///< of the docks: goes up with each new one

} // namespace

LayoutController::LayoutController(const WindowParts& parts)
    : m_parts(parts)
{
}

void LayoutController::setAlone(bool wanted)
{
    QMainWindow& window = m_parts.window;
    m_parts.actions->find("view.plotsAlone")->setChecked(wanted);
    if (wanted == isAlone())
        return;
    window.statusBar()->setVisible(!wanted);
    if (!wanted) {
        window.restoreState(std::exchange(m_before, {}), kStateVersion);
        return;
    }
    m_before = window.saveState(kStateVersion);
    for (QDockWidget* dock : window.findChildren<QDockWidget*>())
        dock->hide();
    for (QToolBar* bar : window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        bar->hide();
}

QByteArray LayoutController::state() const
{
    return isAlone() ? m_before : m_parts.window.saveState(kStateVersion);
}

void LayoutController::restore(const QByteArray& state)
{
    setAlone(false);
    m_parts.window.restoreState(state, kStateVersion);
}

} // namespace earwright::ui
