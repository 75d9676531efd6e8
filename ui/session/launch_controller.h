#pragma once

#include <QObject>
#include <QString>

namespace earwright::ui {

class ComparisonController;
class RunSelection;
class RunsController;
struct Started;
struct WindowParts;

/// Starts the recipe in front and resumes the run that is shown; says what became of it. GUI thread
/// only.
class LaunchController final : public QObject {
    Q_OBJECT
public:
    LaunchController(const WindowParts& parts, RunSelection& selection, RunsController& runs,
        ComparisonController& comparison);

    void start();
    void startInAllPrecisions();
    void enqueue(); ///< to start when the devices are free
    void resume();
    void askResume(); ///< with which settings
    /// The recipes are checked for what the launch panel asks for, on this machine.
    void refreshCheckContext();

private:
    bool mayStart(); ///< else it shows what is wrong
    void onMachineChanged();
    void dropRefusal();
    void onStarted(const Started& started);
    void onLeft(const Started& started, const QString& output, bool becameRun);

    const WindowParts& m_parts;
    RunSelection& m_selection;
    RunsController& m_runs;
    ComparisonController& m_comparison;
    QString m_refusal; ///< why training did not start; the bar shows it while there are errors
};

} // namespace earwright::ui
