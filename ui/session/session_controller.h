#pragma once

#include "ui/session/session_state.h"

#include <QObject>

namespace earwright::ui {

class LaunchController;
class LayoutController;
class NotificationsController;
class RecipesController;
class RunSelection;
class RunsController;
class SessionKeeper;
class StartMark;
struct WindowParts;

/// What the window remembers from one time to the next, and how it comes back. GUI thread only.
class SessionController final : public QObject {
    Q_OBJECT
public:
    /// The controllers whose state is remembered.
    struct Remembered {
        RunSelection& selection;
        RunsController& runs;
        RecipesController& recipes;
        LaunchController& launch;
        NotificationsController& notifications;
        LayoutController& layout;
    };
    SessionController(const WindowParts& parts, const Remembered& remembered);

    void restore(const SessionState& state);
    /// See MainWindow::beginWith().
    void begin(const SessionStart& start);
    void restoreHeld(); ///< what begin() held back
    SessionState state() const;
    void keepForNextTime(); ///< see MainWindow::keepForNextTime()
    void end(); ///< for leaving, once the recipes have been asked for

private:
    void restorePlots(const QVariantMap& plots);
    void restoreRecipes(const SessionState& state);
    void restoreLook(const SessionState& state);
    bool isRestored() const; ///< all of it is read and shown

    const WindowParts& m_parts;
    Remembered m_of;
    SessionKeeper* m_keeper;
    StartMark* m_startMark;
    const QString m_defaultRoot; ///< of the runs, where none was chosen
    std::optional<SessionState> m_held; ///< of an earlier window, not restored in this one
    bool m_isHeldRestored = false; ///< it was then
};

} // namespace earwright::ui
