#pragma once

#include "ui/runs/run_listing.h"
#include "ui/session/run_news.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace earwright::ui {

class RunsController;
struct WindowParts;

/// Says on the desktop what became of the runs: the end, a failure, numbers that are not finite.
/// GUI thread only.
class NotificationsController final : public QObject {
    Q_OBJECT
public:
    NotificationsController(const WindowParts& parts, const RunsController& runs);

    void setOn(bool isOn) { m_isOn = isOn; }
    bool isOn() const { return m_isOn; }

Q_SIGNALS:
    void told(const earwright::ui::RunNews& news); ///< is on the desktop now

private:
    void onListing(const RunListing& listing);
    void onSnapshot(const QString& runPath);
    void tell(const RunNews& news);

    const WindowParts& m_parts;
    bool m_isOn = true;
    QHash<QString, size_t> m_nonFinite; ///< of each run that was read: so many such steps
    QSet<QString> m_toldNonFinite; ///< runs: once each
};

} // namespace earwright::ui
