#pragma once

#include "ui/session/window_pages.h"

#include <QObject>
#include <QSet>
#include <QStringList>

namespace earwright::ui {

class RunSelection;
class RunsController;
struct Started;
struct WindowParts;

/// The runs that are compared, those of a comparison that is being started too: these come one
/// after the other. GUI thread only.
class ComparisonController final : public QObject {
    Q_OBJECT
public:
    ComparisonController(const WindowParts& parts, RunSelection& selection, RunsController& runs);

    void compare(const QStringList& runPaths);
    void compareSelected();

    void noteRuns(); ///< those that a comparison to be started does not make
    void await(const Started& started); ///< its runs
    void forget(const Started& started); ///< its process has gone

private:
    void onOpening(WindowPage page);
    void onListed(bool isRead);
    void onSnapshot(const QString& runPath);
    void refresh();
    void takeAwaited();
    void forgetVanished();

    const WindowParts& m_parts;
    RunSelection& m_selection;
    RunsController& m_runs;
    /// A comparison that has not all its runs yet: how the names of the others begin, the runs that
    /// were there before, and the process that makes them; 0 = it has gone.
    QStringList m_awaited;
    QSet<QString> m_runsBefore;
    qint64 m_comparer = 0;
};

} // namespace earwright::ui
