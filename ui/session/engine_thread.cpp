#include "ui/session/engine_thread.h"

#include "core/run/control.h"
#include "core/run/follower.h"
#include "core/run/run_folder.h"
#include "ui/runs/run_state.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <utility>
#include <vector>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kLivePoll = 120ms;
constexpr auto kIdlePoll = 1500ms;
constexpr size_t kMostThreads = 16;

run::RunFolder folderOf(const QString& runPath)
{
    return { std::filesystem::path(runPath.toStdU16String()) };
}

/// What the worker thread calls with what it found.
struct Outlets {
    std::function<void(SnapshotPtr)> snapshot;
    std::function<void(HotwordTablePtr)> hotwords;
    std::function<void(QString)> fail;
    std::function<int()> numInThread; ///< tails, this one too
    std::function<bool()> isStopped;
};

/// Lives in the worker thread. Hands a copy out where something changed and the last copy has
/// arrived; the table of hotwords, which is shared, whenever it changed.
class Tail final : public QObject {
public:
    Tail(const QString& runPath, std::atomic<bool>& delivering, Outlets outlets)
        : m_folder(folderOf(runPath))
        , m_follower(m_folder)
        , m_hotwords(m_folder)
        , m_delivering(delivering)
        , m_outlets(std::move(outlets))
        , m_timer(this)
    {
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, &Tail::poll);
    }

    void poll()
    {
        if (m_outlets.isStopped())
            return;
        QElapsedTimer clock;
        clock.start();
        read();
        if (m_hotwords.poll(m_follower.snapshot()))
            m_outlets.hotwords(m_hotwords.table());
        if (m_dirty && !m_delivering.exchange(true)) {
            m_dirty = false;
            m_outlets.snapshot(copySnapshot());
        }
        // A long run's copy takes longer, and of thousands each has its turn: never spend more than
        // a tenth of a core on all of a thread.
        const auto rest = std::chrono::milliseconds(
            clock.nsecsElapsed() * 10 * m_outlets.numInThread() / 1'000'000);
        m_timer.start(std::max(isOver(m_state) ? kIdlePoll : kLivePoll, rest));
    }

private:
    void read()
    {
        const Result<bool> changed = m_follower.poll();
        if (!changed)
            m_outlets.fail(QString::fromStdString(changed.error().message));
        const std::vector<run::LogDamage>& damage = m_follower.snapshot().damage;
        if (damage.size() > m_numDamaged)
            m_outlets.fail(QString::fromStdString(
                m_folder.path.filename().string() + ": " + run::damageText(damage.back())));
        m_numDamaged = damage.size();
        const run::RunSummary summary = run::summarise(m_folder, m_follower.snapshot());
        m_dirty = m_dirty || (changed && *changed) || summary.state != m_state;
        m_state = summary.state;
    }

    SnapshotPtr copySnapshot() const
    {
        auto copy = std::make_shared<run::Snapshot>(m_follower.snapshot());
        // A supervisor that is gone without a last word makes a run "interrupted": no event says
        // so.
        copy->state = m_state;
        return copy;
    }

    const run::RunFolder m_folder;
    run::Follower m_follower;
    HotwordReader m_hotwords;
    std::atomic<bool>& m_delivering;
    const Outlets m_outlets;
    QTimer m_timer;
    run::State m_state = run::State::Unknown;
    size_t m_numDamaged = 0; ///< parts of the log that were told of
    bool m_dirty = true;
};

} // namespace

/// The threads of all engines. GUI thread only, but for numInEach().
class EnginePool final {
public:
    static std::shared_ptr<EnginePool> shared()
    {
        static std::weak_ptr<EnginePool> pool;
        std::shared_ptr<EnginePool> found = pool.lock();
        if (!found)
            pool = found = std::make_shared<EnginePool>();
        return found;
    }
    ~EnginePool()
    {
        for (const Place& place : m_places)
            place.thread->quit();
        for (const Place& place : m_places)
            place.thread->wait();
    }

    /// One that nobody has, a new one, or from kMostThreads on the one that fewest have.
    QThread* take()
    {
        ++m_numTaken;
        auto least = std::min_element(m_places.begin(), m_places.end(),
            [](const Place& a, const Place& b) { return a.numTaken < b.numTaken; });
        if (least == m_places.end() || (least->numTaken > 0 && m_places.size() < kMostThreads)) {
            least = m_places.insert(m_places.end(), { std::make_unique<QThread>(), 0 });
            least->thread->setObjectName(QStringLiteral("engine"));
            least->thread->start(QThread::LowPriority);
        }
        ++least->numTaken;
        return least->thread.get();
    }
    void giveBack(const QThread* thread)
    {
        --m_numTaken;
        for (Place& place : m_places)
            if (place.thread.get() == thread)
                --place.numTaken;
    }
    int numInEach() const
    {
        return 1 + std::max(0, m_numTaken - 1) / static_cast<int>(kMostThreads);
    }

private:
    struct Place {
        std::unique_ptr<QThread> thread;
        int numTaken = 0;
    };
    std::vector<Place> m_places;
    std::atomic<int> m_numTaken = 0;
};

EngineThread::EngineThread(const QString& runPath, QObject* parent)
    : QObject(parent)
    , m_runPath(runPath)
    , m_pool(EnginePool::shared())
    , m_thread(m_pool->take())
    , m_gone(std::make_shared<QSemaphore>())
{
    Outlets outlets;
    outlets.snapshot = [this](SnapshotPtr snapshot) {
        QMetaObject::invokeMethod(
            this,
            [this, snapshot] {
                m_snapshot = snapshot;
                m_delivering = false;
                Q_EMIT snapshotChanged(m_runPath, snapshot);
            },
            Qt::QueuedConnection);
    };
    outlets.hotwords = [this](HotwordTablePtr hotwords) {
        QMetaObject::invokeMethod(
            this,
            [this, hotwords] {
                m_hotwords = hotwords;
                Q_EMIT hotwordsChanged(m_runPath, hotwords);
            },
            Qt::QueuedConnection);
    };
    outlets.fail = [this](const QString& message) {
        QMetaObject::invokeMethod(
            this, [this, message] { Q_EMIT readFailed(m_runPath, message); }, Qt::QueuedConnection);
    };
    outlets.isStopped = [this] { return m_isStopped.load(); };
    outlets.numInThread = [pool = m_pool.get()] { return pool->numInEach(); };
    auto* tail = new Tail(runPath, m_delivering, std::move(outlets));
    m_tail = tail;
    // Not this: it may go as soon as the tail has gone.
    connect(
        tail, &QObject::destroyed, tail, [gone = m_gone] { gone->release(); },
        Qt::DirectConnection);
    tail->moveToThread(m_thread);
    QMetaObject::invokeMethod(tail, &Tail::poll, Qt::QueuedConnection);
}

EngineThread::~EngineThread()
{
    stop();
    m_gone->acquire();
    m_pool->giveBack(m_thread);
}

void EngineThread::stop()
{
    if (!m_isStopped.exchange(true))
        m_tail->deleteLater();
}

void EngineThread::end(std::unique_ptr<EngineThread> engine, QObject* owner)
{
    EngineThread* ending = engine.release();
    ending->setParent(owner);
    connect(ending->m_tail, &QObject::destroyed, ending, &QObject::deleteLater);
    ending->stop();
}

QString sendToSupervisor(const QString& runPath, const QString& command, double value)
{
    const std::optional<run::Lock> lock = run::liveLock(folderOf(runPath));
    if (!lock)
        return QCoreApplication::translate("earwright", "The run is not running any more.");
    QJsonObject request { { QStringLiteral("command"), command } };
    if (value > 0)
        request.insert(QStringLiteral("value"), value);
    const Result<std::string> answer = run::sendControl(
        lock->socket, QJsonDocument(request).toJson(QJsonDocument::Compact).toStdString());
    if (!answer)
        return QString::fromStdString(answer.error().message);
    const QJsonObject said = QJsonDocument::fromJson(QByteArray::fromStdString(*answer)).object();
    return said.value(QLatin1String("ok")).toBool()
        ? QString()
        : said.value(QLatin1String("error")).toString(QString::fromStdString(*answer));
}

} // namespace earwright::ui
