#pragma once

#include <QFileSystemWatcher>
#include <QObject>

namespace kymo::ui {

/// Tells when a file was written, replaced or removed. It lives in a thread of its own, for the
/// disk is asked to watch too: created and used from any other, deleted by deleteLater().
class FileWatch final : public QObject {
    Q_OBJECT
public:
    FileWatch();

    /// This file and no other; again after it was replaced by renaming, which ends the watch on the
    /// old one. "" = none.
    void watch(const QString& path);

Q_SIGNALS:
    /// Also when a watch begins: nobody saw what happened before. Once of a file that is not there,
    /// which cannot be watched.
    void changed();

private:
    void begin(const QString& path);

    QFileSystemWatcher m_watcher { this };
    QString m_missing; ///< told to be
};

} // namespace kymo::ui
