#include "ui/session/window_docks.h"

#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/usages_panel.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/translated.h"
#include "ui/runs/current_runs.h"
#include "ui/runs/log_panel.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/sidebar.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>

namespace earwright::ui {
namespace {

/// `name` + "Dock" is the dock's object name, "view." + `name` its action.
QDockWidget* addDock(const WindowParts& parts, Qt::DockWidgetArea area, const QString& title,
    const QString& name, QWidget* content)
{
    auto* dock = new QDockWidget(title, &parts.window);
    dock->setObjectName(name + QStringLiteral("Dock"));
    dock->setWidget(content);
    parts.window.addDockWidget(area, dock);
    parts.actions->registry()->adopt(dock->toggleViewAction(), QStringLiteral("view.") + name);
    return dock;
}

/// What is taller than a small screen: it scrolls there.
QScrollArea* scrolled(QWidget* content, const QString& name)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setMinimumWidth(content->minimumWidth());
    area->setAccessibleName(name);
    return area;
}

void makePanels(WindowParts& parts)
{
    QMainWindow* window = &parts.window;
    const WindowActions& actions = *parts.actions;
    parts.sidebar = new Sidebar(new CurrentRuns(*parts.runs, window),
        actions.find({ "run.compareSelected", "run.stop", "run.resume", "run.resumeWith",
            "run.enqueue", "run.queueUp", "run.queueDown", "run.dequeue", "run.pause",
            "run.continue", "run.checkpoint", "run.setLearningRate", "run.kill", "run.openFolder",
            "file.closeCapsule" }),
        window);
    parts.problems = new ProblemsPanel(window);
    parts.log = new LogPanel(window);
    parts.usages = new UsagesPanel(window);
    parts.outline = new OutlinePanel(window);
    parts.launch = new LaunchPanel(*actions.registry(), window);
}

} // namespace

void buildDocks(WindowParts& parts)
{
    makePanels(parts);
    QMainWindow& window = parts.window;
    // Side docks reach down to the status bar.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    const auto add = [&parts](Qt::DockWidgetArea area, const QString& title, const char* name,
                         QWidget* content) {
        return addDock(parts, area, title, QLatin1String(name), content);
    };
    QDockWidget* side
        = add(Qt::LeftDockWidgetArea, translated("Recipes and runs"), "sidebar", parts.sidebar);
    parts.problemsDock
        = add(Qt::BottomDockWidgetArea, translated("Problems"), "problems", parts.problems);
    parts.logDock = add(Qt::BottomDockWidgetArea, translated("Log"), "log", parts.log);
    parts.usagesDock = add(Qt::BottomDockWidgetArea, translated("Usages"), "usages", parts.usages);
    parts.outlineDock
        = add(Qt::LeftDockWidgetArea, translated("Outline"), "outline", parts.outline);
    QDockWidget* launch = add(Qt::RightDockWidgetArea, translated("Launch"), "launch",
        scrolled(parts.launch, translated("Launch")));
    window.tabifyDockWidget(parts.problemsDock, parts.logDock);
    window.tabifyDockWidget(parts.logDock, parts.usagesDock);
    parts.problemsDock->raise();
    window.resizeDocks({ side, launch }, { 240, 300 }, Qt::Horizontal);
    window.resizeDocks({ parts.problemsDock }, { 170 }, Qt::Vertical);
}

void bringForward(QDockWidget* dock)
{
    dock->show();
    dock->raise();
}

} // namespace earwright::ui
