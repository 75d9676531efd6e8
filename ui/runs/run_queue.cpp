#include "ui/runs/run_queue.h"

#include "ui/widgets/when_done.h"

#include <QtConcurrentRun>

namespace earwright::ui {

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
        // One that was started meanwhile has no place.
        run::moveBy(queue, run::queueEntry(runPath.toStdU16String()), places);
        return Status(Done {});
    });
}

void RunQueue::remove(const QStringList& runPaths)
{
    edit([runPaths](run::Queue& queue) {
        for (const QString& path : runPaths)
            std::erase(queue.runs, run::queueEntry(path.toStdU16String()));
        return Status(Done {});
    });
}

void RunQueue::edit(std::function<Status(run::Queue&)> change)
{
    const auto work = [root = m_root, change = std::move(change)] {
        const Status edited = run::editQueue(std::filesystem::path(root.toStdU16String()), change);
        return edited ? QString() : QString::fromStdString(edited.error().message);
    };
    whenDone(QtConcurrent::run(&m_thread, work), this, [this](const QString& error) {
        if (!error.isEmpty())
            Q_EMIT failed(error);
        Q_EMIT changed();
    });
}

} // namespace earwright::ui
