#include "ui/editor/file_watch.h"

#include <QThread>

#include <utility>

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
    if (path.isEmpty() || m_watcher.files().contains(path))
        return;
    const bool isThere = m_watcher.addPath(path);
    if (isThere || std::exchange(m_missing, path) != path)
        Q_EMIT changed();
    if (isThere)
        m_missing.clear();
}

} // namespace kymo::ui
