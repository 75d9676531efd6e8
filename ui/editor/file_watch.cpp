#include "ui/editor/file_watch.h"

#include <QFileInfo>
#include <QThread>

namespace earwright::ui {
namespace {

/// Of all watches.
class WatchThread final : public QThread {
public:
    WatchThread() { start(); }
    ~WatchThread() override
    {
        quit();
        wait();
    }
};

QThread* watchThread()
{
    static WatchThread thread;
    return &thread;
}

} // namespace

FileWatch::FileWatch()
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::changed);
    moveToThread(watchThread());
}

void FileWatch::watch(const QString& path, bool wasThere)
{
    QMetaObject::invokeMethod(this, [this, path, wasThere] { begin(path, wasThere); });
}

void FileWatch::begin(const QString& path, bool wasThere)
{
    for (const QString& other : m_watcher.files())
        if (other != path)
            m_watcher.removePath(other);
    if (path.isEmpty() || m_watcher.files().contains(path))
        return;
    // One that is there may still be refused, where the system has no watch left: no news of it.
    if (m_watcher.addPath(path) || (wasThere && !QFileInfo::exists(path)))
        Q_EMIT changed();
}

} // namespace earwright::ui
