#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/launcher.h"
#include "ui/launch/resume_dialog.h"
#include "ui/monitor/learning_rate_dialog.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/sidebar.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/session/session_keeper.h"
#include "ui/session/start_mark.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/info_bar.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QThreadPool>

namespace earwright::ui {

void MainWindow::chooseRunsRoot()
{
    const QString path
        = QFileDialog::getExistingDirectory(this, tr("Folder that holds the runs"), m_runsRoot);
    if (!path.isEmpty())
        setRunsRoot(path);
}

void MainWindow::noteRecent(const QString& path)
{
    m_recent = joinedRecent({ path }, m_recent);
}

bool MainWindow::mayStart()
{
    RecipePage* page = m_recipes->current();
    if (!page)
        return false;
    m_launch->takeOpenEdit();
    const int errors = page->problems()->errorCount();
    if (errors == 0) {
        m_bar->hide(); // what it says is of another try
        return true;
    }
    showPage(RecipePageIndex);
    page->goToNextProblem(1, recipe::Severity::Error);
    m_refusal = counted(errors,
        tr("The recipe has %1 error: fix what the problems list names, then start."),
        tr("The recipe has %1 errors: fix what the problems list names, then start."));
    m_bar->showMessage(Tone::Bad, m_refusal);
    return false;
}

void MainWindow::startTraining()
{
    if (!mayStart())
        return;
    const LaunchRequest request = m_launch->request();
    m_recipes->current()->saveThen([this, request] { m_launcher->train(request, m_runsRoot); });
}

void MainWindow::trainInAllPrecisions()
{
    const QStringList precisions = m_launch->comparedPrecisions();
    if (!mayStart() || precisions.isEmpty())
        return;
    const LaunchRequest request = m_launch->request();
    m_recipes->current()->saveThen([this, request, precisions] {
        m_runsBefore.clear(); // now: its runs may be listed before it is known to have started
        for (const run::RunSummary& summary : m_runs->runs())
            m_runsBefore << runPathOf(summary);
        m_launcher->compare(request, precisions, m_runsRoot);
    });
}

void MainWindow::onStarted(const Started& started)
{
    m_lister->listNow();
    if (started.runPath.isEmpty())
        return awaitComparison(started);
    selectRun(started.runPath);
    showPage(MonitorPageIndex);
}

void MainWindow::awaitComparison(const Started& started)
{
    m_comparer = started.pid;
    m_awaited = started.beginnings;
    compareRuns({});
}

void MainWindow::onLeft(const Started& started, const QString& output, bool becameRun)
{
    m_lister->listNow(); // which finds what a comparison made last
    if (started.pid == m_comparer)
        m_comparer = 0;
    const bool comparisonFailed = started.runPath.isEmpty() && m_compared.isEmpty();
    if (!becameRun || comparisonFailed)
        m_bar->showMessage(Tone::Bad,
            tr("The run did not start:\n%1")
                .arg(output.isEmpty() ? tr("it said nothing") : output));
}

void MainWindow::enqueueRecipe()
{
    if (!mayStart())
        return;
    const QStringList arguments = queueArguments(m_launch->request(), m_runsRoot);
    m_recipes->current()->saveThen([this, arguments] {
        statusBar()->showMessage(tr("Putting the recipe into the queue…"));
        m_launcher->changeQueue(arguments);
    });
}

void MainWindow::changeQueue(const char* verb, const QStringList& runPaths)
{
    m_launcher->changeQueue(QStringList { QStringLiteral("queue"), QLatin1String(verb) } + runPaths
        + QStringList { QStringLiteral("--runs-dir"), m_runsRoot });
}

void MainWindow::moveInQueue(int places)
{
    m_queue->moveBy(m_selectedRun, places);
}

void MainWindow::resumeSelected()
{
    action("run.resume")->setEnabled(false); // until the list says what became of it
    m_launcher->resume(m_selectedRun);
}

void MainWindow::askResume()
{
    const SnapshotPtr snapshot = m_session->snapshot(m_selectedRun);
    const int64_t epochs = snapshot ? snapshot->started.numberOfEpochs : 0;
    auto* dialog = new ResumeDialog(epochs, snapshot ? snapshot->epoch : 0, this);
    dialog->setWindowTitle(tr("Resume %1").arg(QFileInfo(m_selectedRun).fileName()));
    connect(dialog, &ResumeDialog::chosen, this,
        [this, run = m_selectedRun](const QStringList& chosen) {
            for (const char* id : { "run.resume", "run.resumeWith" })
                action(id)->setEnabled(false); // until the list says what became of it
            m_launcher->resume(run, chosen);
        });
    dialog->open();
}

void MainWindow::tellSelected(const char* command)
{
    m_session->tell(m_selectedRun, QLatin1String(command));
}

/// A kill cannot be taken back, and its keys are one away from Stop's.
void MainWindow::askKill()
{
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Kill a run"),
        tr("Kill %1 at once?").arg(QFileInfo(m_selectedRun).fileName()), QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("killDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("What it learnt since its last checkpoint would be lost. Stopped, it "
           "saves a checkpoint after the step it is at."));
    const auto tell = [this, box, run = m_selectedRun](
                          const QString& text, QMessageBox::ButtonRole role, const char* command) {
        QPushButton* button = box->addButton(text, role);
        button->setObjectName(QLatin1String(command));
        connect(button, &QPushButton::clicked, this,
            [this, run, command] { m_session->tell(run, QLatin1String(command)); });
    };
    tell(tr("Stop it"), QMessageBox::AcceptRole, "stop");
    tell(tr("Kill it"), QMessageBox::DestructiveRole, "kill");
    box->setDefaultButton(QMessageBox::Cancel);
    box->open();
}

void MainWindow::askLearningRate()
{
    const SnapshotPtr snapshot = m_session->snapshot(m_selectedRun);
    auto* dialog = new LearningRateDialog(snapshot ? learningRateOf(*snapshot) : 0, this);
    dialog->setWindowTitle(tr("Learning rate of %1").arg(QFileInfo(m_selectedRun).fileName()));
    connect(dialog, &LearningRateDialog::chosen, this, [this, run = m_selectedRun](double rate) {
        m_session->tell(run, QStringLiteral("set-lr"), rate);
    });
    dialog->open();
}

/// Opens it and makes the change there, to be looked at, undone or saved.
void MainWindow::changeRecipe(const QString& path, const QStringList& settings)
{
    openRecipe(path);
    m_recipes->current()->changeSettings(settings);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    // Texts that are discarded are lost: what else may keep the window is asked before.
    const std::optional<QStringList> toStop = askForRuns();
    if (!toStop || !m_recipes->closeAll()) {
        event->ignore();
        return;
    }
    stopAll(*toStop);
    m_keeper->keepNow();
    m_startMark->end();
    event->accept();
}

/// Which ones at work to stop; nothing where the window shall stay.
std::optional<QStringList> MainWindow::askForRuns()
{
    const QStringList live = m_runs->livePaths();
    if (live.isEmpty())
        return live;
    const bool isOne = live.size() == 1;
    const int paused = m_runs->numPaused();
    const auto training = live.size() - paused;
    QStringList texts;
    if (training > 0)
        texts << counted(training, tr("%1 run is training."), tr("%1 runs are training."));
    if (paused > 0)
        texts << counted(paused, tr("%1 run is paused."), tr("%1 runs are paused."));
    QMessageBox box(QMessageBox::Question, tr("Runs are at work"), texts.join(QLatin1Char(' ')),
        QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("liveRunsDialog"));
    box.setInformativeText(isOne
            ? tr("It goes on without this window; opening it again finds it.")
            : tr("They go on without this window; opening it again finds them."));
    QPushButton* leave = box.addButton(
        isOne ? tr("Leave it running") : tr("Leave them running"), QMessageBox::AcceptRole);
    QPushButton* stop
        = box.addButton(isOne ? tr("Stop it") : tr("Stop them"), QMessageBox::DestructiveRole);
    leave->setObjectName(QStringLiteral("leaveRunning"));
    stop->setObjectName(QStringLiteral("stopRuns"));
    box.setDefaultButton(leave);
    box.exec();
    if (box.clickedButton() == stop)
        return live;
    return box.clickedButton() == leave ? std::optional(QStringList()) : std::nullopt;
}

void MainWindow::stopAll(const QStringList& runPaths)
{
    // The thread pool is waited for when the application ends, so every supervisor gets the word.
    for (const QString& path : runPaths)
        QThreadPool::globalInstance()->start(
            [path] { sendToSupervisor(path, QStringLiteral("stop")); });
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Earwright"),
        tr("<h3>Earwright Studio %1</h3><p>Speech-recognition training runs on a workstation.</p>"
           "<p>Sources: Apache-2.0. This program as a whole: GPL-3, because QCustomPlot and "
           "QScintilla are.</p>")
            .arg(QStringLiteral(EARWRIGHT_VERSION)),
        QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("aboutDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::RichText);
    box->setIconPixmap(windowIcon().pixmap(64));
    box->open();
}

} // namespace earwright::ui
