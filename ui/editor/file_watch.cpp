#include "ui/editor/file_watch.h"

#include <QThread>

namespace kymo::ui {
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

void FileWatch::watch(const QString& path)
{
    QMetaObject::invokeMethod(this, [this, path] { begin(path); });
}

void FileWatch::begin(const QString& path)
{
    for (const QString& other : m_watcher.files())
        if (other != path)
            m_watcher.removePath(other);
    if (!path.isEmpty() && !m_watcher.files().contains(path) && m_watcher.addPath(path))
        Q_EMIT changed();
}

} // namespace kymo::ui
