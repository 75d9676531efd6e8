#include "ui/runs/run_lister.h"

#include "core/run/queue.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kListingInterval = 1000ms;

QueueHindrance hindranceOf(const std::filesystem::path& root)
{
    const Result<run::Queue> queue = run::readQueue(root);
    if (!queue)
        return { .error = QString::fromStdString(queue.error().message) };
    const bool isServed = queue->runs.empty() || run::queueOwner(root) != 0;
    return { .isHeld = queue->isStopped, .isUnserved = !isServed };
}

RunListing look(const QString& runsRoot)
{
    const std::filesystem::path root(runsRoot.toStdU16String());
    const Result<std::vector<run::RunSummary>> runs = run::listRuns(root);
    if (!runs)
        return { {}, { .error = QString::fromStdString(runs.error().message) } };
    return { *runs, hindranceOf(root) };
}

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
    whenDone(QtConcurrent::run(look, m_root), this,
        [this](const RunListing& listing) { onListed(listing); });
}

void RunLister::onListed(const RunListing& listing)
{
    m_isListing = false;
    if (m_again) // of another root, or from before what made somebody ask
        return listNow();
    Q_EMIT listed(listing);
    // Runs without a result cost their event files: never spend more than a tenth of a core on it.
    m_timer.start(std::max<std::chrono::milliseconds>(
        kListingInterval, std::chrono::milliseconds(10 * m_clock.elapsed())));
}

} // namespace earwright::ui
