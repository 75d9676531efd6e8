#include "ui/launch/launcher.h"

#include "ui/widgets/when_done.h"

#include <QFile>
#include <QFileInfo>
#include <QtConcurrentRun>

#include <algorithm>
#include <iterator>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kPollInterval = 400ms;

/// A process nobody has waited for yet (state Z) counts as gone.
bool isAlive(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2, 1) != "Z";
}

struct Rest {
    QString output;
    bool becameRun = false;
};

Rest readRest(const Started& started)
{
    const QFileInfo sign(started.sign);
    return { launchLogTail(QFileInfo(started.logFile).absolutePath(), started.logBefore),
        started.sign.isEmpty() || (sign.exists() && sign.lastModified() != started.signBefore) };
}

} // namespace

Launcher::Launcher(QObject* parent)
    : QObject(parent)
{
    connect(&m_timer, &QTimer::timeout, this, &Launcher::pollProcesses);
}

void Launcher::train(const LaunchRequest& request, const QString& runsRoot)
{
    const auto start = [request, runsRoot] {
        return std::make_shared<Result<Started>>(startTraining(request, runsRoot));
    };
    whenDone(QtConcurrent::run(start), this,
        [this](const std::shared_ptr<Result<Started>>& result) { onStarted(*result); });
}

void Launcher::resume(const QString& runPath, const QStringList& settings)
{
    const auto start = [runPath, settings] {
        return std::make_shared<Result<Started>>(startResume(runPath, settings));
    };
    whenDone(QtConcurrent::run(start), this,
        [this](const std::shared_ptr<Result<Started>>& result) { onStarted(*result); });
}

void Launcher::changeQueue(const QStringList& arguments)
{
    whenDone(QtConcurrent::run([arguments] { return ui::changeQueue(arguments); }), this,
        [this](const QString& error) {
            if (!error.isEmpty())
                Q_EMIT failed(error);
            Q_EMIT queueChanged();
        });
}

void Launcher::compare(
    const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot)
{
    const auto start = [request, precisions, runsRoot] {
        return std::make_shared<Result<Started>>(startComparison(request, precisions, runsRoot));
    };
    whenDone(QtConcurrent::run(start), this,
        [this](const std::shared_ptr<Result<Started>>& result) { onStarted(*result); });
}

void Launcher::onStarted(const Result<Started>& result)
{
    if (!result) {
        Q_EMIT failed(QString::fromStdString(result.error().message));
        return;
    }
    m_alive.push_back(*result);
    m_timer.start(kPollInterval);
    Q_EMIT started(*result);
}

void Launcher::pollProcesses()
{
    if (m_isPolling)
        return;
    m_isPolling = true;
    const auto findGone = [alive = m_alive] {
        std::vector<Started> gone;
        std::copy_if(alive.begin(), alive.end(), std::back_inserter(gone),
            [](const Started& started) { return !isAlive(started.pid); });
        return gone;
    };
    whenDone(QtConcurrent::run(findGone), this,
        [this](const std::vector<Started>& gone) { onGone(gone); });
}

void Launcher::onGone(const std::vector<Started>& gone)
{
    m_isPolling = false;
    for (const Started& one : gone) {
        std::erase_if(m_alive, [&](const Started& other) { return other.pid == one.pid; });
        whenDone(QtConcurrent::run(readRest, one), this,
            [this, one](const Rest& rest) { Q_EMIT left(one, rest.output, rest.becameRun); });
    }
    if (m_alive.empty())
        m_timer.stop();
}

} // namespace earwright::ui
