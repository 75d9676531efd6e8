#pragma once

#include <functional>
#include <memory>
#include <QObject>
#include <QString>
#include <QTimer>

namespace kymo::ui {

/// Unsaved text of a recipe, kept in a file of its own (in the folder of the user's application
/// data) so that a crash loses a few seconds at most. Written and read off the GUI thread, one
/// after the other. GUI thread only.
class SwapFile final : public QObject {
    Q_OBJECT
public:
    /// `text` gives what there is to keep when it is time to write.
    SwapFile(const QString& recipePath, std::function<QString()> text, QObject* parent);

    void setRecipePath(const QString& path); ///< "save as": the swap file of the old path goes
    void setDelayMs(int delay) { m_timer.setInterval(delay); }

    /// The text changed: written once the delay is over (3 s), however long the typing goes on.
    void schedule();
    void remove(); ///< saved or discarded: there is nothing to recover any more
    /// -> found, where a session that is no longer there left unsaved text.
    void lookUp();

    /// Where the swap file of a recipe lies.
    static QString pathFor(const QString& recipePath);

Q_SIGNALS:
    void found(const QString& text);
    void written();

private:
    void write();

    QString m_recipePath;
    std::function<QString()> m_text;
    QTimer m_timer;
};

} // namespace kymo::ui
