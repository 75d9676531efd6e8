#pragma once

#include "ui/session/session_state.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/theme.h"

#include <memory>
#include <QMainWindow>

namespace earwright::ui {

class ActionRegistry;
struct WindowControllers;

/// The window: sidebar, pages, docks, status bar. It makes the parts, then the controllers, which
/// do the rest. GUI thread only.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    using enum WindowPage;

    /// `state`: what the window remembers. `theme` must outlive the window.
    MainWindow(Theme& theme, const SessionState& state, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openRecipe(const QString& path);
    /// A recipe; a capsule of `earwright export`, which is shown once it is unpacked; a run's
    /// folder, shown beside the other runs where it lies; or a folder of runs.
    void openFile(const QString& path);
    void setRunsRoot(const QString& root);
    void selectRun(const QString& runPath);
    void compareRuns(const QStringList& runPaths);
    void showPage(WindowPage page);

    /// The start of a program's window, once it is constructed: says what is held back, and watches
    /// until the window has run well.
    void beginWith(const SessionStart& start);
    SessionState state() const;
    /// For an end without questions (a signal): the next window comes back like this one, and finds
    /// the unsaved text of its recipes.
    void keepForNextTime();
    const ActionRegistry& actions() const;
    RecipeTabs* recipes() const { return m_parts.recipes; }
    LaunchPanel* launchPanel() const { return m_parts.launch; }
    const RunListModel& runs() const { return *m_parts.runs; }
    const Session& session() const { return *m_parts.session; }
    QString selectedRun() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override; ///< see tab_order.h

private:
    void makeEngines();
    void makeActions();
    void buildCenter();

    WindowParts m_parts;
    std::unique_ptr<WindowControllers> m_controllers; ///< they go before the parts
};

} // namespace earwright::ui
