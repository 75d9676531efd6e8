#include "ui/session/devices.h"

#include "ui/launch/earwright_program.h"
#include "ui/widgets/when_done.h"

#include <QFile>
#include <QProcess>
#include <QtConcurrentRun>
#include <QThread>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kLoadInterval = 2s;
constexpr auto kGpuInterval = 30s; // each probe opens CUDA: memory and utilisation need no more

struct Ticks {
    qint64 busy = 0;
    qint64 all = 0;
};

/// First line of /proc/stat: user nice system idle iowait irq softirq steal, in ticks since boot.
Ticks processorTicks()
{
    QFile file(QStringLiteral("/proc/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QList<QByteArray> words = file.readLine().simplified().split(' ');
    Ticks ticks;
    for (int i = 1; i < std::min<int>(9, static_cast<int>(words.size())); ++i) {
        const qint64 value = words[i].toLongLong();
        ticks.all += value;
        ticks.busy += (i == 4 || i == 5) ? 0 : value;
    }
    return ticks;
}

} // namespace

Devices::Devices(QObject* parent)
    : QObject(parent)
{
    m_machine.cpuCores = QThread::idealThreadCount();
    connect(&m_loadTimer, &QTimer::timeout, this, &Devices::sampleLoad);
    connect(&m_probeTimer, &QTimer::timeout, this, &Devices::probe);
    m_loadTimer.start(kLoadInterval);
    sampleLoad();
}

void Devices::probe()
{
    whenDone(QtConcurrent::run(earwrightProgram), this,
        [this](const QString& program) { ask(program); });
}

void Devices::ask(const QString& program)
{
    if (program.isEmpty()) {
        m_error = noProgramMessage();
        Q_EMIT machineChanged();
        return;
    }
    auto* process = new QProcess(this);
    connect(
        process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus status) {
            onFinished(process, code == 0 && status == QProcess::NormalExit);
        });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished(process, false);
    });
    process->start(program, { QStringLiteral("devices"), QStringLiteral("--json") });
}

void Devices::onFinished(QProcess* process, bool succeeded)
{
    process->deleteLater();
    const QByteArray output = process->readAllStandardOutput();
    const Result<check::Machine> machine = check::machineFromJson(output.toStdString());
    if (succeeded && machine) {
        m_machine = *machine;
        m_error.clear();
        if (!m_machine.gpus.empty())
            m_probeTimer.start(kGpuInterval);
    } else {
        m_error = tr("'earwright devices' did not answer: %1")
                      .arg(machine ? process->errorString()
                                   : QString::fromStdString(machine.error().message));
    }
    Q_EMIT machineChanged();
}

void Devices::sampleLoad()
{
    whenDone(QtConcurrent::run(processorTicks), this,
        [this](const Ticks& now) { addSample(now.busy, now.all); });
}

void Devices::addSample(qint64 busyTicks, qint64 allTicks)
{
    const qint64 all = allTicks - m_allTicks;
    if (m_allTicks > 0 && all > 0)
        m_cpuLoad = static_cast<double>(busyTicks - m_busyTicks) / static_cast<double>(all);
    m_busyTicks = busyTicks;
    m_allTicks = allTicks;
    Q_EMIT loadChanged();
}

} // namespace earwright::ui
