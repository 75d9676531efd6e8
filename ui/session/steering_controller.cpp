#include "ui/session/steering_controller.h"

#include "ui/monitor/learning_rate_dialog.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/session/run_selection.h"
#include "ui/session/session.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QThreadPool>

namespace earwright::ui {

SteeringController::SteeringController(const WindowParts& parts, const RunSelection& selection)
    : m_parts(parts)
    , m_selection(selection)
{
    connect(parts.monitor, &MonitorPage::stopRequested, this, [this] { tell("stop"); });
    connect(parts.session, &Session::controlAnswered, this,
        [this](const QString&, const QString& error) {
            if (!error.isEmpty())
                m_parts.bar->showMessage(
                    Tone::Bad, tr("The run did not take the command: %1").arg(error));
        });
}

void SteeringController::tell(const char* command)
{
    m_parts.session->tell(m_selection.current(), QLatin1String(command));
}

/// A kill cannot be taken back, and its keys are one away from Stop's.
void SteeringController::askKill()
{
    const QString run = m_selection.current();
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Kill a run"),
        tr("Kill %1 at once?").arg(QFileInfo(run).fileName()), QMessageBox::Cancel,
        &m_parts.window);
    box->setObjectName(QStringLiteral("killDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("What it learnt since its last checkpoint would be lost. Stopped, it "
           "saves a checkpoint after the step it is at."));
    const auto offer
        = [this, box, run](const QString& text, QMessageBox::ButtonRole role, const char* command) {
              QPushButton* button = box->addButton(text, role);
              button->setObjectName(QLatin1String(command));
              connect(button, &QPushButton::clicked, this,
                  [this, run, command] { m_parts.session->tell(run, QLatin1String(command)); });
          };
    offer(tr("Stop it"), QMessageBox::AcceptRole, "stop");
    offer(tr("Kill it"), QMessageBox::DestructiveRole, "kill");
    box->setDefaultButton(QMessageBox::Cancel);
    box->open();
}

void SteeringController::askLearningRate()
{
    const QString run = m_selection.current();
    const SnapshotPtr snapshot = m_parts.session->snapshot(run);
    auto* dialog
        = new LearningRateDialog(snapshot ? learningRateOf(*snapshot) : 0, &m_parts.window);
    dialog->setWindowTitle(tr("Learning rate of %1").arg(QFileInfo(run).fileName()));
    connect(dialog, &LearningRateDialog::chosen, this,
        [this, run](double rate) { m_parts.session->tell(run, QStringLiteral("set-lr"), rate); });
    dialog->open();
}

std::optional<QStringList> SteeringController::askForRuns()
{
    const QStringList live = m_parts.runs->livePaths();
    if (live.isEmpty())
        return live;
    const bool isOne = live.size() == 1;
    const int paused = m_parts.runs->numPaused();
    const auto training = live.size() - paused;
    QStringList texts;
    if (training > 0)
        texts << counted(training, tr("%1 run is training."), tr("%1 runs are training."));
    if (paused > 0)
        texts << counted(paused, tr("%1 run is paused."), tr("%1 runs are paused."));
    QMessageBox box(QMessageBox::Question, tr("Runs are at work"), texts.join(QLatin1Char(' ')),
        QMessageBox::Cancel, &m_parts.window);
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

void SteeringController::stopAll(const QStringList& runPaths)
{
    // The thread pool is waited for when the application ends, so every supervisor gets the word.
    for (const QString& path : runPaths)
        QThreadPool::globalInstance()->start(
            [path] { sendToSupervisor(path, QStringLiteral("stop")); });
}

} // namespace earwright::ui
