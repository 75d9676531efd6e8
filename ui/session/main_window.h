#pragma once

#include "core/recipe/node.h"
#include "core/run/run_folder.h"
#include "ui/session/session_state.h"
#include "ui/widgets/theme.h"

#include <functional>
#include <optional>
#include <QMainWindow>
#include <QSet>

class QDockWidget;
class QLabel;
class QStackedWidget;

namespace earwright::ui {

class ActionRegistry;
class Capsules;
class ComparePage;
class Devices;
class InfoBar;
class Launcher;
class LaunchPanel;
class LogPanel;
class MonitorPage;
class OutlinePanel;
class PlotBoard;
class ProblemsPanel;
class RecipePage;
class RecipeTabs;
class RunLister;
class RunListModel;
class RunQueue;
class Session;
class SessionKeeper;
class Sidebar;
class StartMark;
class UsagesPanel;
class UtterancesPage;
struct RecipeSource;
struct RunListing;
struct Started;
struct UtteranceRun;

/// The window: sidebar, pages, docks, status bar. It holds what is selected; what a run is comes
/// from its snapshots. GUI thread only.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    enum Page { RecipePageIndex, MonitorPageIndex, ComparePageIndex, UtterancesPageIndex };

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
    void showPage(Page page);
    /// The same, of a user who asks for it: an empty comparison takes the runs that are selected.
    void openPage(Page page);

    /// The start of a program's window, once it is constructed: says what is held back, and watches
    /// until the window has run well.
    void beginWith(const SessionStart& start);
    SessionState state() const;
    /// For an end without questions (a signal): the next window comes back like this one, and finds
    /// the unsaved text of its recipes.
    void keepForNextTime();
    const ActionRegistry& actions() const { return *m_actions; }
    RecipeTabs* recipes() const { return m_recipes; }
    LaunchPanel* launchPanel() const { return m_launch; }
    const RunListModel& runs() const { return *m_runs; }
    const Session& session() const { return *m_session; }
    QString selectedRun() const { return m_selectedRun; }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    // main_window.cpp
    void buildPages();
    void buildDocks();
    void connectParts();
    void connectRuns();

    // main_window_state.cpp
    void restore(const SessionState& state);
    bool isRestored() const; ///< all of it is read and shown
    void restoreHeld();
    void onRecipeChanged();
    void onSnapshot(const QString& runPath);
    void focusPage();
    void refreshWatched();
    void refreshCompare();
    void refreshCheckContext();

    // main_window_listing.cpp
    void onRunsListed(const RunListing& listing);
    void tellNewWaiting(const std::vector<run::RunSummary>& runs);
    void compareAwaited();
    void forgetVanished();
    void dropRestoredRun();

    // main_window_status.cpp
    void refreshStatus();
    void refreshActions();
    void refreshRunActions();

    // main_window_actions.cpp
    void buildActions();
    void addFileActions();
    void addRunActions();
    void addSteeringActions();
    void addQueueActions();
    /// `text`: with %1 for the run that it acts on.
    QAction* addShownRunAction(const char* id, const QString& text, const char* icon,
        const QKeySequence& keys, std::function<void()> run);
    void nameShownRun();
    void addViewActions();
    void addPlotActions();
    PlotBoard* shownPlots() const; ///< of the page in front; null where it has none
    void buildMenus();
    void buildToolBar();
    QAction* addAction(const char* id, const QString& text, const char* icon,
        const QKeySequence& keys, std::function<void()> run);
    QAction* action(const char* id) const;

    // main_window_recipe.cpp
    void addEditActions();
    void addSearchActions();
    void addProblemActions();
    void addLanguageActions();
    void connectRecipes();
    void compareRecipes();
    std::vector<RecipeSource> recipeSources() const; ///< the current recipe's text and file first
    void openAt(const QString& path, recipe::Position place);
    /// One that needs a recipe in front: `run` gets it.
    QAction* addRecipeAction(const char* id, const QString& text, const char* icon,
        const QKeySequence& keys, std::function<void(RecipePage&)> run);
    void newRecipe();
    void askForLeftRecipes();
    void offerLeftRecipes();

    // main_window_capsules.cpp
    void connectCapsules();
    void chooseFiles();
    void closeCapsule();
    void onCapsuleOpened(const QString& runPath);
    void onCapsuleClosed(const QString& runPath);
    void onFolderGiven(const QString& runsRoot, const QString& runPath);
    void showRuns(std::vector<run::RunSummary> own);
    std::vector<run::RunSummary> ownRuns() const;
    bool isCapsule(const QString& runPath) const;
    QStringList withoutCapsules(QStringList runPaths) const;

    // main_window_utterances.cpp
    void addUtteranceActions();
    void connectUtterances();
    /// Runs to hold the selected one against.
    QStringList besideSelected() const;
    std::vector<UtteranceRun> utteranceRuns() const; ///< the selected one first
    void refreshUtterances(); ///< where they are shown

    // main_window_runs.cpp
    void chooseRunsRoot();
    void startTraining();
    void trainInAllPrecisions();
    bool mayStart();
    void enqueueRecipe();
    void changeQueue(const char* verb, const QStringList& runPaths = {});
    void moveInQueue(int places);
    void resumeSelected();
    void askResume();
    void tellSelected(const char* command);
    void askKill();
    void askLearningRate();
    void changeRecipe(const QString& path, const QStringList& settings);
    void onStarted(const Started& started);
    void awaitComparison(const Started& started);
    void onLeft(const Started& started, const QString& output, bool becameRun);
    std::optional<QStringList> askForRuns();
    void stopAll(const QStringList& runPaths);
    void noteRecent(const QString& path);
    void showAbout();

    // Constant after construction.
    Theme& m_theme;
    ActionRegistry* m_actions;
    Session* m_session;
    Devices* m_devices;
    RunLister* m_lister;
    Capsules* m_capsules; ///< goes after the session, whose threads read there
    RunListModel* m_runs;
    RunQueue* m_queue;
    Launcher* m_launcher;
    SessionKeeper* m_keeper;
    StartMark* m_startMark;
    const QString m_defaultRoot; ///< of the runs, where none was chosen
    RecipeTabs* m_recipes = nullptr;
    MonitorPage* m_monitor = nullptr;
    ComparePage* m_compare = nullptr;
    UtterancesPage* m_utterances = nullptr;
    QStackedWidget* m_pages = nullptr;
    InfoBar* m_bar = nullptr;
    InfoBar* m_heldBar = nullptr; ///< offers m_held
    InfoBar* m_leftBar = nullptr; ///< offers m_leftRecipes: nothing else takes its place
    Sidebar* m_sidebar = nullptr;
    ProblemsPanel* m_problems = nullptr;
    LogPanel* m_log = nullptr;
    UsagesPanel* m_usages = nullptr;
    OutlinePanel* m_outline = nullptr;
    QDockWidget* m_problemsDock = nullptr;
    QDockWidget* m_logDock = nullptr;
    QDockWidget* m_usagesDock = nullptr;
    QDockWidget* m_outlineDock = nullptr;
    LaunchPanel* m_launch = nullptr;
    QStringList m_recipeActions { QStringLiteral("run.start"), QStringLiteral("run.queue"),
        QStringLiteral("run.compare") };
    QLabel* m_statusProblems = nullptr;
    QLabel* m_statusRuns = nullptr;
    QLabel* m_statusDevices = nullptr;

    std::optional<SessionState> m_held; ///< of an earlier window, not restored in this one
    bool m_isHeldRestored = false; ///< it was then

    // What is selected.
    QString m_runsRoot;
    QString m_selectedRun;
    QStringList m_compared;
    QStringList m_recent;
    QStringList m_leftRecipes; ///< whose text an earlier window left unsaved
    QString m_listedRoot; ///< whose runs are shown
    QString m_restoredRun; ///< selected last time, until a listing tells whether it is there
    QString m_refusal; ///< why training did not start; the bar shows it while there are errors
    /// A comparison that has not all its runs yet: how the names of the others begin, the runs that
    /// were there before, and the process that makes them; 0 = it has gone.
    QStringList m_awaited;
    QSet<QString> m_runsBefore;
    qint64 m_comparer = 0;
};

} // namespace earwright::ui
