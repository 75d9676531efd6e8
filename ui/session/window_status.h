#pragma once

#include <QObject>

class QLabel;

namespace earwright::ui {

class RunsController;
struct WindowParts;

/// The texts at the right of the status bar: problems of the recipe, runs at work, devices. GUI
/// thread only.
class WindowStatus final : public QObject {
    Q_OBJECT
public:
    WindowStatus(const WindowParts& parts, const RunsController& runs);

private:
    void refreshProblems();
    void refreshRuns();
    void refreshDevices();

    const WindowParts& m_parts;
    QLabel* m_problems;
    QLabel* m_runs;
    QLabel* m_devices;
};

} // namespace earwright::ui
