#include "ui/runs/run_lister.h"

#include <algorithm>
#include <QtConcurrentRun>

namespace kymo::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kInterval = 1000ms;

} // namespace

RunLister::RunLister(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &RunLister::listNow);
}

void RunLister::setRoot(const QString& runsRoot)
{
    m_root = runsRoot;
    listNow();
}

void RunLister::listNow()
{
    m_again = m_isListing;
    if (m_isListing)
        return;
    m_isListing = true;
    m_clock.start();
    QtConcurrent::run([root = m_root] {
        return run::listRuns(std::filesystem::path(root.toStdU16String()));
    }).then(this, [this](const std::vector<run::RunSummary>& runs) { onListed(runs); });
}

void RunLister::onListed(const std::vector<run::RunSummary>& runs)
{
    m_isListing = false;
    Q_EMIT listed(runs);
    if (m_again)
        listNow();
    else
        // Runs without a result cost their event files: never spend more than a tenth of a core on
        // it.
        m_timer.start(std::max<std::chrono::milliseconds>(
            kInterval, std::chrono::milliseconds(10 * m_clock.elapsed())));
}

} // namespace kymo::ui
