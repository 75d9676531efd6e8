#include "ui/runs/run_queue.h"

#include <QtConcurrentRun>

namespace kymo::ui {
namespace {

/// A run as the queue's file has it: by its real path, which the disk tells.
std::string entryOf(const QString& runPath)
{
    const std::filesystem::path path(runPath.toStdU16String());
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return (error ? path : real).string();
}

} // namespace

RunQueue::RunQueue(QObject* parent)
    : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

void RunQueue::setRoot(const QString& runsRoot)
{
    m_root = runsRoot;
}

void RunQueue::moveBy(const QString& runPath, int places)
{
    edit([runPath, places](run::Queue& queue) {
        run::moveBy(queue, entryOf(runPath), places); // one that was started meanwhile has no place
        return Status(Done {});
    });
}

void RunQueue::remove(const QStringList& runPaths)
{
    edit([runPaths](run::Queue& queue) {
        for (const QString& path : runPaths)
            std::erase(queue.runs, entryOf(path));
        return Status(Done {});
    });
}

void RunQueue::edit(std::function<Status(run::Queue&)> change)
{
    QtConcurrent::run(&m_thread, [root = m_root, change = std::move(change)] {
        const Status edited = run::editQueue(std::filesystem::path(root.toStdU16String()), change);
        return edited ? QString() : QString::fromStdString(edited.error().message);
    }).then(this, [this](const QString& error) {
        if (!error.isEmpty())
            Q_EMIT failed(error);
        Q_EMIT changed();
    });
}

} // namespace kymo::ui
