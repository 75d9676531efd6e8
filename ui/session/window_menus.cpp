#include "ui/session/window_menus.h"

#include "ui/launch/translated.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace earwright::ui {

/// "" is a line between, "pages" stands for all of WindowPages.
void buildMenus(const WindowParts& parts)
{
    int numPlaced = 0;
    const auto fill
        = [&parts, &numPlaced](const QString& title, std::initializer_list<std::string_view> ids) {
              ActionRegistry& registry = *parts.actions->registry();
              QMenu* menu = parts.window.menuBar()->addMenu(title);
              for (const std::string_view id : ids) {
                  if (id.empty())
                      menu->addSeparator();
                  else if (id == "pages")
                      menu->addActions(WindowPages::pageActions(parts));
                  else
                      menu->addAction(parts.actions->find(id.data()));
              }
              for (const QAction* action : menu->actions())
                  if (!action->isSeparator())
                      registry.setPlace(*action, { plainText(title), numPlaced++ });
          };
    fill(translated("&File"),
        { "file.new", "file.open", "file.save", "file.saveAs", "file.close", "file.closeCapsule",
            "", "file.nextTab", "file.previousTab", "", "file.export", "", "file.runsRoot",
            "file.settings", "file.restoreSession", "", "file.quit" });
    fill(translated("&Edit"),
        { "edit.undo", "edit.redo", "", "edit.find", "edit.findNext", "edit.findPrevious",
            "edit.replace", "", "edit.comment", "edit.fold", "edit.unfold", "edit.foldAll",
            "edit.unfoldAll", "", "problem.next", "problem.previous", "problem.list", "problem.fix",
            "", "edit.complete", "edit.explain", "edit.definition", "edit.usages", "edit.rename",
            "edit.outline", "edit.compare" });
    fill(translated("&Run"),
        { "run.start", "run.queue", "run.compare", "", "run.stop", "run.resume", "run.resumeWith",
            "run.kill", "", "run.pause", "run.continue", "run.checkpoint", "run.setLearningRate",
            "", "run.enqueue", "run.queueUp", "run.queueDown", "run.dequeue", "run.queueHeld", "",
            "run.compareSelected", "run.openFolder" });
    fill(translated("&View"),
        { "pages", "", "view.curves", "view.evaluations", "view.hotwords", "view.resetZoom",
            "view.plotsAlone", "view.form", "", "utterance.play", "utterance.next",
            "utterance.previous", "utterance.filter", "utterance.export", "utterance.manifest", "",
            "view.runs", "view.sidebar", "view.outline", "view.problems", "view.usages", "view.log",
            "view.launch", "", "view.theme.auto", "view.theme.light", "view.theme.dark", "",
            "view.palette" });
    fill(translated("&Help"), { "help.docs", "help.shortcuts", "", "help.about" });
}

void buildToolBar(const WindowParts& parts)
{
    auto* bar = parts.window.addToolBar(translated("Main"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setIconSize({ 18, 18 });
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions(WindowPages::pageActions(parts));
    bar->addSeparator();
    bar->addActions(parts.actions->find(
        { "run.start", "run.queue", "run.stop", "run.pause", "run.continue", "run.compare" }));
    for (QAction* each : parts.actions->find({ "run.pause", "run.continue" }))
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(each)))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    auto* gap = new QWidget(bar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    bar->addAction(parts.actions->find("view.palette"));
}

} // namespace earwright::ui
