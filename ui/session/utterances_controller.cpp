#include "ui/session/utterances_controller.h"

#include "ui/compare/compare_run.h"
#include "ui/monitor/monitor_page.h"
#include "ui/session/run_selection.h"
#include "ui/session/session.h"
#include "ui/session/window_parts.h"
#include "ui/utterances/utterance_filter.h"
#include "ui/utterances/utterances_page.h"

namespace earwright::ui {

UtterancesController::UtterancesController(const WindowParts& parts, const RunSelection& selection)
    : m_parts(parts)
    , m_selection(selection)
{
    connect(parts.pages, &WindowPages::aboutToShow, this, &UtterancesController::onAboutToShow);
    connect(
        parts.monitor, &MonitorPage::utterancesWanted, this, &UtterancesController::showEvaluation);
    connect(&selection, &RunSelection::currentChanged, this, &UtterancesController::refresh);
    connect(&selection, &RunSelection::selectedChanged, this, &UtterancesController::refresh);
    connect(parts.session, &Session::snapshotChanged, this, &UtterancesController::onSnapshot);
}

void UtterancesController::onAboutToShow(WindowPage page)
{
    if (page == UtterancesPageIndex)
        m_parts.utterances->setRuns(runs()); // before it is shown: it reads then
}

void UtterancesController::onSnapshot(const QString& runPath)
{
    if (runPath == m_selection.current() || m_selection.beside().contains(runPath))
        refresh();
}

void UtterancesController::showEvaluation(const QString& alignmentsFile, const QString& hotword)
{
    m_parts.utterances->setRuns(runs());
    m_parts.utterances->showEvaluation(alignmentsFile.toStdString(),
        hotword.isEmpty() ? QString() : UtteranceFilter::missedPhrase(hotword));
    m_parts.pages->openPage(UtterancesPageIndex);
}

void UtterancesController::refresh()
{
    if (m_parts.pages->isInFront(UtterancesPageIndex))
        m_parts.utterances->setRuns(runs());
}

std::vector<UtteranceRun> UtterancesController::runs() const
{
    std::vector<UtteranceRun> runs;
    if (!m_selection.current().isEmpty()) {
        const QStringList paths = QStringList(m_selection.current()) + m_selection.beside();
        const QStringList names = shortRunNames(paths);
        for (qsizetype i = 0; i < paths.size(); ++i)
            runs.push_back({ paths[i], names[i], m_parts.session->snapshot(paths[i]) });
    }
    return runs;
}

} // namespace earwright::ui
