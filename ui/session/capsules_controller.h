#pragma once

#include <QObject>
#include <QString>

namespace earwright::ui {

class RecipesController;
class RunSelection;
class RunsController;
struct WindowParts;

/// Opens files of any kind: recipes, capsules of `earwright export`, which join the runs, and
/// folders of runs. GUI thread only.
class CapsulesController final : public QObject {
    Q_OBJECT
public:
    CapsulesController(const WindowParts& parts, RunSelection& selection, RunsController& runs,
        RecipesController& recipes);

    /// A recipe; a capsule, which is shown once it is unpacked; a run's folder, shown beside the
    /// other runs where it lies; or a folder of runs.
    void open(const QString& path);
    void chooseFiles(); ///< asks
    void close(); ///< the capsule that is shown

private:
    void onOpened(const QString& runPath);
    void onClosed(const QString& runPath);
    void onFolderGiven(const QString& runsRoot, const QString& runPath);

    const WindowParts& m_parts;
    RunSelection& m_selection;
    RunsController& m_runs;
    RecipesController& m_recipes;
};

} // namespace earwright::ui
