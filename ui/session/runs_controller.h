#pragma once

#include "ui/runs/run_listing.h"

#include <QObject>
#include <vector>

namespace earwright::ui {

class RunSelection;
struct WindowParts;

/// The runs folder and its list, and the run that is shown: its snapshots go to the monitor and to
/// the log. GUI thread only.
class RunsController final : public QObject {
    Q_OBJECT
public:
    RunsController(const WindowParts& parts, RunSelection& selection);

    void setRoot(const QString& root);
    QString root() const { return m_root; }
    void chooseRoot(); ///< asks
    /// Of an earlier window: the run is dropped where the first listing does not have it.
    void restore(const QString& runPath, const QStringList& compared);
    void relist(); ///< the same runs, with the capsules that are open now
    void goToList(); ///< the keyboard goes there
    void openFolder() const; ///< of the run that is shown

Q_SIGNALS:
    void listing(const earwright::ui::RunListing& listing); ///< comes into the list next
    void listed(bool isRead); ///< `isRead`: the folder told of its runs

private:
    void connectParts();
    void onListed(const RunListing& listing);
    void show(std::vector<run::RunSummary> own);
    void dropRestored();
    void onCurrentChanged(const QString& runPath);
    void onSnapshot(const QString& runPath);
    void nameShown();

    const WindowParts& m_parts;
    RunSelection& m_selection;
    QString m_root;
    QString m_listedRoot; ///< whose runs are shown
    QString m_restored; ///< selected last time, until a listing tells whether it is there
};

} // namespace earwright::ui
