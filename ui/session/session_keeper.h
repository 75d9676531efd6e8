#pragma once

#include "ui/session/session_state.h"

#include <functional>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

namespace earwright::ui {

/// Writes what the window remembers as it changes, so that a window that is killed comes back as it
/// was. It looks every two seconds: nothing that changes the state has to say so. GUI thread only.
class SessionKeeper final : public QObject {
    Q_OBJECT
public:
    SessionKeeper(std::function<SessionState()> state, QObject* parent);

    void start(); ///< the window is as it was last time
    void
    keepNow(); ///< for leaving: the one time the disk is waited for, and the last time it looks

private:
    void keepChange();

    std::function<SessionState()> m_state;
    SessionState m_kept;
    QThreadPool m_disk; ///< one thread: what is older is never written over what is newer
    QTimer m_timer;
};

} // namespace earwright::ui
