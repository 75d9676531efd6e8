#include "ui/compare/compare_run.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/sidebar.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/utterances/utterance_filter.h"
#include "ui/utterances/utterances_page.h"

#include <QAction>
#include <QStackedWidget>

namespace earwright::ui {
namespace {

/// Each run that is looked at has a thread.
constexpr qsizetype kMostBeside = 8;

} // namespace

/// They wait in their page; space is the table's alone, as others write with it.
void MainWindow::addUtteranceActions()
{
    addAction("utterance.play", tr("&Play the Utterance"), "media-playback-start",
        QKeySequence(Qt::Key_Space), [this] { m_utterances->togglePlaying(); })
        ->setShortcutContext(Qt::WidgetShortcut);
    addAction("utterance.next", tr("Ne&xt Utterance"), "go-down",
        QKeySequence(Qt::ALT | Qt::Key_PageDown), [this] { m_utterances->goToNext(1); });
    addAction("utterance.previous", tr("Pre&vious Utterance"), "go-up",
        QKeySequence(Qt::ALT | Qt::Key_PageUp), [this] { m_utterances->goToNext(-1); });
    addAction("utterance.filter", tr("F&ilter the Utterances"), "view-filter",
        QKeySequence(Qt::CTRL | Qt::Key_L), [this] { m_utterances->goToFilter(); });
    addAction("utterance.export", tr("Export the &Shown Utterances…"), "document-export", {},
        [this] { m_utterances->openExport(); });
}

void MainWindow::connectUtterances()
{
    connect(m_monitor, &MonitorPage::utterancesWanted, this,
        [this](const QString& alignmentsFile, const QString& hotword) {
            m_utterances->setRuns(utteranceRuns());
            m_utterances->showEvaluation(alignmentsFile.toStdString(),
                hotword.isEmpty() ? QString() : UtteranceFilter::missedPhrase(hotword));
            openPage(UtterancesPageIndex);
        });
    connect(m_sidebar, &Sidebar::selectedRunsChanged, this, [this] {
        refreshWatched();
        refreshUtterances();
    });
}

QStringList MainWindow::besideSelected() const
{
    QStringList beside = m_compared + m_sidebar->selectedRuns();
    beside.removeDuplicates();
    beside.removeAll(m_selectedRun);
    return beside.first(std::min(beside.size(), kMostBeside));
}

std::vector<UtteranceRun> MainWindow::utteranceRuns() const
{
    std::vector<UtteranceRun> runs;
    if (!m_selectedRun.isEmpty()) {
        const QStringList paths = QStringList(m_selectedRun) + besideSelected();
        const QStringList names = shortRunNames(paths);
        for (qsizetype i = 0; i < paths.size(); ++i)
            runs.push_back({ paths[i], names[i], m_session->snapshot(paths[i]) });
    }
    return runs;
}

void MainWindow::refreshUtterances()
{
    if (m_pages->currentIndex() == UtterancesPageIndex)
        m_utterances->setRuns(utteranceRuns());
}

} // namespace earwright::ui
