#pragma once

class QDockWidget;
class QMainWindow;
class QString;

namespace earwright::ui {

class Capsules;
class ComparePage;
class Devices;
class InfoBar;
class Launcher;
class LaunchPanel;
class LogPanel;
class MonitorPage;
class OutlinePanel;
class ProblemsPanel;
class RecipeTabs;
class RunLister;
class RunListModel;
class RunQueue;
class RunsPage;
class Session;
class Sidebar;
class Theme;
class UsagesPanel;
class UtterancesPage;
class WindowActions;
class WindowPages;

/// What the window is made of: its controllers share it. All is there before the first controller,
/// and stays until the last one has gone.
struct WindowParts {
    QMainWindow& window; ///< of dialogs, messages and titles
    Theme& theme;

    // What is read and started. The window deletes them in this order: the capsules go after the
    // session, whose threads read there.
    WindowActions* actions = nullptr;
    Session* session = nullptr;
    Devices* devices = nullptr;
    RunLister* lister = nullptr;
    Capsules* capsules = nullptr;
    RunListModel* runs = nullptr;
    RunQueue* queue = nullptr;
    Launcher* launcher = nullptr;

    // The middle: messages above the pages.
    InfoBar* bar = nullptr;
    InfoBar* heldBar = nullptr; ///< offers what a start held back
    InfoBar* leftBar = nullptr; ///< offers unsaved recipes: nothing else takes its place
    WindowPages* pages = nullptr;
    RecipeTabs* recipes = nullptr;
    MonitorPage* monitor = nullptr;
    ComparePage* compare = nullptr;
    UtterancesPage* utterances = nullptr;
    RunsPage* runsPage = nullptr;

    // Around it.
    Sidebar* sidebar = nullptr;
    ProblemsPanel* problems = nullptr;
    LogPanel* log = nullptr;
    UsagesPanel* usages = nullptr;
    OutlinePanel* outline = nullptr;
    LaunchPanel* launch = nullptr;
    QDockWidget* problemsDock = nullptr;
    QDockWidget* logDock = nullptr;
    QDockWidget* usagesDock = nullptr;
    QDockWidget* outlineDock = nullptr;
};

/// What could not be done, in the bar above the pages; what the status bar said of it goes.
void complain(const WindowParts& parts, const QString& message);

} // namespace earwright::ui
