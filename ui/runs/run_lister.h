#pragma once

#include "ui/runs/run_listing.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace earwright::ui {

/// Lists the runs of a folder, and looks at its queue, again and again in the thread pool, about
/// once a second. GUI thread only, which touches no file: the folder may lie on a disk that does
/// not answer.
class RunLister final : public QObject {
    Q_OBJECT
public:
    explicit RunLister(QObject* parent = nullptr);

    void setRoot(const QString& runsRoot); ///< need not exist yet
    const QString& root() const { return m_root; }
    void listNow();

Q_SIGNALS:
    /// Of a look that began after the last setRoot() and listNow().
    void listed(const earwright::ui::RunListing& listing);

private:
    void onListed(const RunListing& listing);

    QString m_root;
    bool m_isListing = false;
    bool m_again = false;
    QTimer m_timer;
    QElapsedTimer m_clock;
};

} // namespace earwright::ui
