#pragma once

#include <functional>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <vector>

namespace earwright::ui {

/// Unsaved text that a process no longer there left behind.
struct LeftText {
    QString file; ///< the swap file that holds it
    QString recipePath;
    QString text;
};

/// Those of one recipe, or of all; newest first. Of another machine, whose processes cannot be seen
/// where it shares the folder, only those that nobody touched for a day. Reads the disk, and clears
/// it of what a process killed while it wrote left: to be called off the GUI thread.
std::vector<LeftText> leftTexts(const QString& recipePath = {});

/// Unsaved text of a recipe, kept in a file of its own (in the folder of the user's application
/// data) so that a crash loses a second at most. Nobody but its process writes or removes it
/// while that lives; one left behind stays until the user chose what becomes of it. Written and
/// read off the GUI thread, one after the other. GUI thread only.
class SwapFile final : public QObject {
    Q_OBJECT
public:
    /// `text` gives what there is to keep when it is time to write.
    SwapFile(const QString& recipePath, std::function<QString()> text, QObject* parent);

    void setRecipePath(const QString& path); ///< "save as": the swap file of the old path goes
    void setDelayMs(int delay) { m_timer.setInterval(delay); }

    /// The text changed: written once the delay is over, however long the typing goes on. On a slow
    /// disk, the next write starts when the one before ends.
    void schedule();
    void writeAndWait(); ///< the process is told to end
    void remove(); ///< saved or discarded: there is nothing to recover any more

    /// -> found, the newest, where a process that is no longer there left unsaved text.
    void lookUp();
    // Neither finds the file again, even where it cannot be removed.
    /// The text here is now what a left file held: that one goes once it is kept here.
    void takeOver(const QString& leftFile);
    void discard(const QString& leftFile);

    static QString folder(); ///< of all swap files
    const QString& path() const { return m_path; }

    static constexpr int kDelayMs = 500;

Q_SIGNALS:
    void found(const earwright::ui::LeftText& left);
    void written();

private:
    void write();

    QString m_recipePath;
    QString m_path; ///< its like exists nowhere: two windows may have the same recipe open
    std::function<QString()> m_text;
    QTimer m_timer;
    bool m_isWriting = false;
    bool m_writesAgain = false; ///< the text changed while it was written
    QSet<QString> m_answered; ///< files of which the user chose what becomes of them
};

} // namespace earwright::ui
