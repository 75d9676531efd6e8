#include "ui/session/start_mark.h"

#include "core/run/run_folder.h"
#include "ui/widgets/when_done.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStringList>
#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kLookInterval = 250ms;
constexpr int kLooks = 4; ///< so many in a row have to find all restored
constexpr qint64 kLongestMs = 10000; ///< a disk may never tell what would be restored
const QString kStartingKey = QStringLiteral("starting");

/// Another file than the settings: an empty settings file means that none were kept.
struct MarkFile : QSettings {
    MarkFile()
        : QSettings(defaultFormat(), UserScope, QCoreApplication::organizationName(),
            QCoreApplication::applicationName() + QStringLiteral("-start"))
    {
    }
};

/// Its id, when it started, in which start of the machine.
QStringList thisProcess()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return { QString::number(pid), QString::number(qint64 { run::processStartTicks(pid) }),
        QString::fromStdString(run::bootId()) };
}

bool isStillThere(const QStringList& process)
{
    return process.size() == 3 && process[2].toStdString() == run::bootId()
        && process[1].toLongLong() == qint64 { run::processStartTicks(process[0].toLongLong()) };
}

void setMark()
{
    MarkFile mark;
    mark.setValue(kStartingKey, thisProcess());
    mark.sync();
}

/// Another window may have started meanwhile: its mark stays.
void clearMark()
{
    MarkFile mark;
    if (mark.value(kStartingKey).toStringList() == thisProcess())
        mark.remove(kStartingKey);
}

} // namespace

StartMark::StartMark(std::function<bool()> isRestored, QObject* parent)
    : QObject(parent)
    , m_isRestored(std::move(isRestored))
{
    m_disk.setMaxThreadCount(1);
    m_timer.setInterval(kLookInterval);
    connect(&m_timer, &QTimer::timeout, this, &StartMark::look);
}

bool StartMark::begin()
{
    const QStringList before = MarkFile().value(kStartingKey).toStringList();
    setMark();
    return before.isEmpty() || isStillThere(before);
}

void StartMark::beginAgain(std::function<void()> then)
{
    m_timer.stop(); // the first watch would take the new mark away
    whenDone(QtConcurrent::run(&m_disk, setMark), this, [this, then = std::move(then)] {
        then();
        watch();
    });
}

void StartMark::watch()
{
    m_numRestored = 0;
    m_watched.start();
    m_timer.start();
}

void StartMark::look()
{
    m_numRestored = m_isRestored() ? m_numRestored + 1 : 0;
    if (m_numRestored < kLooks && !m_watched.hasExpired(kLongestMs))
        return;
    m_timer.stop();
    m_disk.start(clearMark);
    Q_EMIT ranWell();
}

void StartMark::end()
{
    m_timer.stop();
    m_disk.start(clearMark);
    m_disk.waitForDone();
}

} // namespace earwright::ui
