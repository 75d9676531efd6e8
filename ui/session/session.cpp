#include "ui/session/session.h"

#include "ui/widgets/when_done.h"

#include <QtConcurrentRun>

namespace earwright::ui {

Session::Session(QObject* parent)
    : QObject(parent)
{
}

Session::~Session()
{
    for (const auto& [path, engine] : m_engines)
        engine->stop();
}

void Session::watch(const QSet<QString>& runPaths)
{
    for (auto& [path, engine] : m_engines)
        if (!runPaths.contains(path)) {
            engine->disconnect(this);
            EngineThread::end(std::move(engine), this);
        }
    std::erase_if(m_engines, [](const auto& entry) { return !entry.second; });
    for (const QString& path : runPaths)
        if (!m_engines.contains(path))
            add(path);
}

void Session::add(const QString& runPath)
{
    auto engine = std::make_unique<EngineThread>(runPath);
    connect(engine.get(), &EngineThread::snapshotChanged, this, &Session::snapshotChanged);
    connect(engine.get(), &EngineThread::hotwordsChanged, this, &Session::hotwordsChanged);
    connect(engine.get(), &EngineThread::readFailed, this, &Session::readFailed);
    m_engines.emplace(runPath, std::move(engine));
}

SnapshotPtr Session::snapshot(const QString& runPath) const
{
    const auto found = m_engines.find(runPath);
    return found == m_engines.end() ? nullptr : found->second->snapshot();
}

HotwordTablePtr Session::hotwords(const QString& runPath) const
{
    const auto found = m_engines.find(runPath);
    return found == m_engines.end() ? nullptr : found->second->hotwords();
}

void Session::tell(const QString& runPath, const QString& command, double value)
{
    const auto send
        = [runPath, command, value] { return sendToSupervisor(runPath, command, value); };
    whenDone(QtConcurrent::run(send), this,
        [this, runPath](const QString& error) { Q_EMIT controlAnswered(runPath, error); });
}

} // namespace earwright::ui
