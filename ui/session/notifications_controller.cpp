#include "ui/session/notifications_controller.h"

#include "ui/runs/run_list_model.h"
#include "ui/session/runs_controller.h"
#include "ui/session/session.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/desktop_notification.h"

namespace earwright::ui {

NotificationsController::NotificationsController(
    const WindowParts& parts, const RunsController& runs)
    : m_parts(parts)
{
    connect(&runs, &RunsController::listing, this, &NotificationsController::onListing);
    connect(parts.session, &Session::snapshotChanged, this, &NotificationsController::onSnapshot);
}

void NotificationsController::onListing(const RunListing& listing)
{
    if (!listing.runs)
        return;
    for (const RunNews& news : newsBetween(m_parts.runs->runs(), *listing.runs))
        tell(news);
}

/// A list knows the latest loss alone; of the runs that are watched every step is known. What a run
/// had when it was read first is no news.
void NotificationsController::onSnapshot(const QString& runPath)
{
    const SnapshotPtr snapshot = m_parts.session->snapshot(runPath);
    if (!snapshot)
        return;
    const auto known = m_nonFinite.constFind(runPath);
    const bool isNew = known != m_nonFinite.constEnd() && snapshot->nonFinite.size() > *known;
    if (isNew && run::isLive(snapshot->state))
        tell(nonFiniteNews(runPath, snapshot->nonFinite.back()));
    m_nonFinite.insert(runPath, snapshot->nonFinite.size());
}

void NotificationsController::tell(const RunNews& news)
{
    if (news.kind == RunNews::Kind::NotFinite && m_toldNonFinite.contains(news.runPath))
        return;
    if (news.kind == RunNews::Kind::NotFinite)
        m_toldNonFinite.insert(news.runPath);
    if (!m_isOn)
        return;
    showOnDesktop(news.title, news.text);
    Q_EMIT told(news);
}

} // namespace earwright::ui
