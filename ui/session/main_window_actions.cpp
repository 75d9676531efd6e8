#include "ui/compare/compare_page.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/sidebar.h"
#include "ui/session/command_palette.h"
#include "ui/session/main_window.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/plot_board.h"

#include <QActionGroup>
#include <QDesktopServices>
#include <QFileInfo>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QUrl>

namespace earwright::ui {

QAction* MainWindow::addAction(const char* id, const QString& text, const char* icon,
    const QKeySequence& keys, std::function<void()> run)
{
    QAction* made = m_actions->add({ .id = QString::fromLatin1(id),
        .text = text,
        .iconName = QString::fromLatin1(icon),
        .shortcut = keys });
    connect(made, &QAction::triggered, this, run);
    QMainWindow::addAction(made);
    return made;
}

QAction* MainWindow::action(const char* id) const
{
    return m_actions->find(QString::fromLatin1(id));
}

QAction* MainWindow::addShownRunAction(const char* id, const QString& text, const char* icon,
    const QKeySequence& keys, std::function<void()> run)
{
    QAction* made = addAction(id, text.arg(tr("the Selected Run")), icon, keys, std::move(run));
    made->setData(text);
    return made;
}

/// Where several runs are selected, what acts on the one shown says which that is. A long name
/// leaves its middle out, as runs of one recipe differ in the time at its end; tips have it whole.
void MainWindow::nameShownRun()
{
    constexpr int kMaxLetters = 24;
    const bool isOneOfSeveral = m_sidebar->selectedRuns().size() > 1;
    QString whole = isOneOfSeveral ? QFileInfo(m_selectedRun).fileName() : tr("the Selected Run");
    QString run = fontMetrics().elidedText(
        whole, Qt::ElideMiddle, kMaxLetters * fontMetrics().averageCharWidth());
    for (QString* name : { &whole, &run })
        name->replace(u"&"_qs, u"&&"_qs);
    for (QAction* each : m_actions->all())
        if (const QString text = each->data().toString(); !text.isEmpty())
            m_actions->setText(each, text.arg(run), text.arg(whole));
}

void MainWindow::buildActions()
{
    addFileActions();
    addEditActions();
    addSearchActions();
    addProblemActions();
    addLanguageActions();
    addRunActions();
    addSteeringActions();
    addQueueActions();
    addViewActions();
    addUtteranceActions();
    addPlotActions();
}

void MainWindow::addFileActions()
{
    addAction(
        "file.new", tr("&New Recipe…"), "document-new", QKeySequence::New, [this] { newRecipe(); });
    addAction("file.open", tr("&Open Recipe or Capsule…"), "document-open", QKeySequence::Open,
        [this] { chooseFiles(); });
    addAction(
        "file.closeCapsule", tr("C&lose Capsule"), "window-close", {}, [this] { closeCapsule(); });
    addAction("file.runsRoot", tr("Choose &Runs Folder…"), "folder-open", {},
        [this] { chooseRunsRoot(); });
    addAction("file.restoreSession", tr("Res&tore the Last Session"), "", {}, [this] {
        restoreHeld();
    })->setEnabled(false);
    addAction(
        "file.quit", tr("&Quit"), "", QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::addRunActions()
{
    addAction("run.start", tr("&Start Training"), "media-playback-start", QKeySequence(Qt::Key_F5),
        [this] { startTraining(); })
        ->setIconText(tr("Start"));
    addShownRunAction("run.resume", tr("&Resume %1"), "media-playback-start",
        QKeySequence(Qt::ALT | Qt::Key_F5), [this] { resumeSelected(); });
    addShownRunAction("run.resumeWith", tr("Resume %1 &with Other Settings…"),
        "media-playback-start", QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_F5),
        [this] { askResume(); });
    addAction("run.compare", tr("Train in &All Precisions"), "office-chart-bar",
        QKeySequence(Qt::CTRL | Qt::Key_F5), [this] { trainInAllPrecisions(); });
    addAction("run.compareSelected", tr("&Compare Selected Runs"), "view-split-left-right",
        QKeySequence(Qt::CTRL | Qt::Key_D), [this] {
            m_awaited.clear(); // the user's choice stays as it is
            compareRuns(m_sidebar->selectedRuns());
        });
    addShownRunAction("run.openFolder", tr("Open the Fol&der of %1"), "folder-open", {},
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_selectedRun)); });
}

/// What a run that trains may be told.
void MainWindow::addSteeringActions()
{
    addShownRunAction("run.stop", tr("S&top %1"), "media-playback-stop",
        QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { tellSelected("stop"); })
        ->setIconText(tr("Stop"));
    addShownRunAction("run.kill", tr("&Kill %1…"), "process-stop",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5), [this] { askKill(); });
    addShownRunAction("run.pause", tr("&Pause %1"), "media-playback-pause",
        QKeySequence(Qt::Key_Pause), [this] { tellSelected("pause"); });
    addShownRunAction("run.continue", tr("Contin&ue %1"), "media-playback-start",
        QKeySequence(Qt::SHIFT | Qt::Key_Pause), [this] { tellSelected("continue"); });
    addShownRunAction("run.checkpoint", tr("Sa&ve a Checkpoint of %1"), "document-save", {},
        [this] { tellSelected("checkpoint"); });
    addShownRunAction("run.setLearningRate", tr("Set the Learnin&g Rate of %1…"), "", {},
        [this] { askLearningRate(); });
}

void MainWindow::addQueueActions()
{
    addAction("run.queue", tr("Start When the Devices Are &Free"), "list-add",
        QKeySequence(Qt::Key_F6), [this] { enqueueRecipe(); })
        ->setIconText(tr("Queue"));
    addAction("run.enqueue", tr("Put the Selected Runs into the &Queue"), "list-add", {},
        [this] { changeQueue("add", withoutCapsules(m_sidebar->selectedRuns())); });
    addShownRunAction("run.queueUp", tr("Start %1 &Earlier"), "go-up",
        QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveInQueue(-1); });
    addShownRunAction("run.queueDown", tr("Start %1 &Later"), "go-down",
        QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveInQueue(1); });
    addAction("run.dequeue", tr("Take the Selected Runs &out of the Queue"), "list-remove",
        QKeySequence::Delete, [this] { m_queue->remove(m_sidebar->selectedRuns()); });
    // Keys of the list of runs: elsewhere they are others' (Delete is the editor's).
    for (const char* id : { "run.queueUp", "run.queueDown", "run.dequeue" })
        action(id)->setShortcutContext(Qt::WidgetShortcut);
    QAction* held = addAction("run.queueHeld", tr("&Hold the Queue"), "", {},
        [this] { changeQueue(action("run.queueHeld")->isChecked() ? "stop" : "start"); });
    held->setCheckable(true);
    held->setToolTip(tr("No more runs start; those that train go on"));
}

void MainWindow::addViewActions()
{
    auto* pages = new QActionGroup(this);
    const auto addPage
        = [&](const char* id, const QString& text, const char* icon, Qt::Key key, Page page) {
              QAction* made = addAction(
                  id, text, icon, QKeySequence(Qt::CTRL | key), [this, page] { openPage(page); });
              made->setCheckable(true);
              pages->addAction(made);
          };
    addPage("view.recipe", tr("&Recipe"), "document-edit", Qt::Key_1, RecipePageIndex);
    addPage("view.monitor", tr("&Monitor"), "office-chart-line", Qt::Key_2, MonitorPageIndex);
    addPage("view.compare", tr("&Compare"), "office-chart-bar", Qt::Key_3, ComparePageIndex);
    addPage(
        "view.utterances", tr("U&tterances"), "view-media-lyrics", Qt::Key_4, UtterancesPageIndex);
    const auto addRunView = [&](const char* id, const QString& text, MonitorPage::View view) {
        addAction(id, text, "", {}, [this, view] {
            showPage(MonitorPageIndex);
            m_monitor->showView(view);
        });
    };
    addRunView("view.curves", tr("C&urves of the Run"), MonitorPage::Curves);
    addRunView("view.evaluations", tr("&Evaluations of the Run"), MonitorPage::Evaluations);
    addRunView("view.hotwords", tr("&Hotwords of the Run"), MonitorPage::Hotwords);
    addAction("view.runs", tr("Go to the List of Ru&ns"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [this] {
            action("view.sidebar")->isChecked() ? void() : action("view.sidebar")->trigger();
            m_sidebar->setFocus();
        });
    auto* themes = new QActionGroup(this);
    const auto addTheme = [&](const char* id, const QString& text, ThemeMode mode) {
        QAction* made = addAction(id, text, "", {}, [this, mode] { m_theme.setMode(mode); });
        made->setCheckable(true);
        themes->addAction(made);
    };
    addTheme("view.theme.auto", tr("Theme: &Auto"), ThemeMode::Auto);
    addTheme("view.theme.light", tr("Theme: &Light"), ThemeMode::Light);
    addTheme("view.theme.dark", tr("Theme: &Dark"), ThemeMode::Dark);
    addAction("view.palette", tr("&Find an Action…"), "edit-find",
        QKeySequence(Qt::CTRL | Qt::Key_K), [this] {
            auto* palette = new CommandPalette(*m_actions, this);
            palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 80)));
            palette->show();
        });
    addAction(
        "help.about", tr("&About Earwright"), "dialog-information", {}, [this] { showAbout(); });
}

void MainWindow::addPlotActions()
{
    addAction("file.export", tr("&Export the Plots…"), "document-export", {}, [this] {
        m_pages->currentIndex() == ComparePageIndex ? m_compare->openExport()
                                                    : m_monitor->exportPlots();
    });
    addAction("view.resetZoom", tr("Reset the &Zoom of the Plots"), "zoom-original", {}, [this] {
        if (PlotBoard* plots = shownPlots())
            plots->resetZoom();
    });
}

PlotBoard* MainWindow::shownPlots() const
{
    const int page = m_pages->currentIndex();
    if (page == MonitorPageIndex && !m_selectedRun.isEmpty())
        return m_monitor->board();
    return page == ComparePageIndex && !m_compared.isEmpty() ? m_compare->board() : nullptr;
}

void MainWindow::buildMenus()
{
    const auto fill = [this](const QString& title, std::initializer_list<const char*> ids) {
        QMenu* menu = menuBar()->addMenu(title);
        for (const char* id : ids)
            *id == '\0' ? menu->addSeparator() : (menu->addAction(action(id)), nullptr);
    };
    fill(tr("&File"),
        { "file.new", "file.open", "file.save", "file.saveAs", "file.close", "file.closeCapsule",
            "", "file.nextTab", "file.previousTab", "", "file.export", "", "file.runsRoot",
            "file.restoreSession", "", "file.quit" });
    fill(tr("&Edit"),
        { "edit.undo", "edit.redo", "", "edit.find", "edit.findNext", "edit.findPrevious",
            "edit.replace", "", "edit.comment", "edit.fold", "edit.unfold", "edit.foldAll",
            "edit.unfoldAll", "", "problem.next", "problem.previous", "problem.list", "problem.fix",
            "", "edit.complete", "edit.explain", "edit.definition", "edit.usages", "edit.rename",
            "edit.outline", "edit.compare" });
    fill(tr("&Run"),
        { "run.start", "run.queue", "run.compare", "", "run.stop", "run.resume", "run.resumeWith",
            "run.kill", "", "run.pause", "run.continue", "run.checkpoint", "run.setLearningRate",
            "", "run.enqueue", "run.queueUp", "run.queueDown", "run.dequeue", "run.queueHeld", "",
            "run.compareSelected", "run.openFolder" });
    fill(tr("&View"),
        { "view.recipe", "view.monitor", "view.compare", "view.utterances", "", "view.curves",
            "view.evaluations", "view.hotwords", "view.resetZoom", "", "utterance.play",
            "utterance.next", "utterance.previous", "utterance.filter", "utterance.export", "",
            "view.runs", "view.sidebar", "view.outline", "view.problems", "view.usages", "view.log",
            "view.launch", "", "view.theme.auto", "view.theme.light", "view.theme.dark", "",
            "view.palette" });
    fill(tr("&Help"), { "help.about" });
}

void MainWindow::buildToolBar()
{
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setIconSize({ 18, 18 });
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ action("view.recipe"), action("view.monitor"), action("view.compare"),
        action("view.utterances") });
    bar->addSeparator();
    bar->addActions(
        { action("run.start"), action("run.queue"), action("run.stop"), action("run.compare") });
    auto* gap = new QWidget(bar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    bar->addAction(action("view.palette"));
}

} // namespace earwright::ui
