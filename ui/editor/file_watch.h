#pragma once

#include <QFileSystemWatcher>
#include <QObject>

namespace earwright::ui {

/// Tells when a file was written, replaced or removed. It lives in a thread of its own, for the
/// disk is asked to watch too: created and used from any other, deleted by deleteLater().
class FileWatch final : public QObject {
    Q_OBJECT
public:
    FileWatch();

    /// This file and no other; again after it was replaced by renaming, which ends the watch on the
    /// old one. `wasThere`: when the caller last looked. "" = none.
    void watch(const QString& path, bool wasThere = true);

Q_SIGNALS:
    /// Also when a watch begins: nobody saw what happened before. Of one that is not there, which
    /// cannot be watched, only where that is news.
    void changed();

private:
    void begin(const QString& path, bool wasThere);

    QFileSystemWatcher m_watcher { this };
};

} // namespace earwright::ui
