#pragma once

#include <functional>
#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

namespace earwright::ui {

/// A mark beside the settings from the start of a window until that has run well, or ended by
/// itself. A start that finds the mark of a process that is no longer there knows that what it
/// would restore may be what ended it. GUI thread only.
class StartMark final : public QObject {
    Q_OBJECT
public:
    /// `isRestored`: whether all that a start restores is on the screen.
    StartMark(std::function<bool()> isRestored, QObject* parent);

    /// Whether the last start ended well. Sets the mark of this one and waits for the disk: before
    /// there is a window.
    static bool begin();
    /// The same for what is restored later: `then` once the mark is set.
    void beginAgain(std::function<void()> then);

    /// The mark goes once all has been restored for a second, or ten have passed without an end.
    void watch();
    void end(); ///< for leaving: the disk is waited for

Q_SIGNALS:
    void ranWell();

private:
    void look();

    std::function<bool()> m_isRestored;
    QThreadPool m_disk; ///< one thread: the mark never goes before it comes
    QTimer m_timer;
    QElapsedTimer m_watched;
    int m_numRestored = 0; ///< looks that found all restored
};

} // namespace earwright::ui
