#include "ui/runs/run_state.h"

#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace earwright::ui {

namespace {

constexpr std::array<const char*, 10> kStates { QT_TRANSLATE_NOOP("RunState", "no events yet"),
    QT_TRANSLATE_NOOP("RunState", "not started"), QT_TRANSLATE_NOOP("RunState", "starting"),
    QT_TRANSLATE_NOOP("RunState", "running"), QT_TRANSLATE_NOOP("RunState", "stopping"),
    QT_TRANSLATE_NOOP("RunState", "stopped"), QT_TRANSLATE_NOOP("RunState", "done"),
    QT_TRANSLATE_NOOP("RunState", "failed"), QT_TRANSLATE_NOOP("RunState", "interrupted"),
    QT_TRANSLATE_NOOP("RunState", "paused") };

} // namespace

QString stateText(run::State state)
{
    return QCoreApplication::translate("RunState", kStates.at(static_cast<size_t>(state)));
}

QColor stateColor(run::State state, const QPalette& palette)
{
    switch (state) {
    case run::State::Done:
        return toneColor(Tone::Good, palette);
    case run::State::Failed:
    case run::State::Interrupted:
        return toneColor(Tone::Bad, palette);
    case run::State::Paused:
    case run::State::Stopping:
    case run::State::Stopped:
        return toneColor(Tone::Warning, palette);
    case run::State::Starting:
    case run::State::Running:
        return toneColor(Tone::Accent, palette);
    default:
        return toneColor(Tone::Muted, palette);
    }
}

bool isOver(run::State state)
{
    return run::isFinal(state) || state == run::State::Interrupted;
}

QString nameWithoutTime(const QString& folderName)
{
    static const QRegularExpression kTime(QStringLiteral("(?<=.)-\\d{8}-\\d{6}(-\\d+)?$"));
    return QString(folderName).remove(kTime);
}

QString devicesText(const std::vector<std::string>& devices)
{
    if (devices.size() < 2)
        return devices.empty() ? QString() : QString::fromStdString(devices.front());
    const QString kind = QString::fromStdString(devices.front()).section(QLatin1Char(':'), 0, 0);
    if (kind == QStringLiteral("cpu"))
        return QStringLiteral("cpu ×%1").arg(devices.size());
    QStringList numbers;
    for (const std::string& device : devices)
        numbers << QString::fromStdString(device).section(QLatin1Char(':'), 1);
    return kind + QLatin1Char(':') + numbers.join(QLatin1Char(','));
}

} // namespace earwright::ui
