#pragma once

#include "core/run/run_folder.h"

#include <QObject>
#include <QStringList>
#include <vector>

namespace earwright::ui {

class RunSelection;
class RunsController;
struct RunListing;
struct WindowParts;

/// The runs that wait for devices: which wait, in which order, and whether any start. GUI thread
/// only.
class QueueController final : public QObject {
    Q_OBJECT
public:
    QueueController(const WindowParts& parts, RunSelection& selection, RunsController& runs);

    void add(); ///< the selected runs
    void remove(); ///< the selected runs
    void move(int places); ///< the run that is shown; towards the front where negative
    void setHeld(bool isHeld); ///< no more runs start

private:
    void change(const char* verb, const QStringList& runPaths = {});
    void onListing(const RunListing& listing);
    void tellNewWaiting(const std::vector<run::RunSummary>& runs);

    const WindowParts& m_parts;
    RunSelection& m_selection;
    RunsController& m_runs;
};

} // namespace earwright::ui
