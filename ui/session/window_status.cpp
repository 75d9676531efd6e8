#include "ui/session/window_status.h"

#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/runs/run_list_model.h"
#include "ui/session/devices.h"
#include "ui/session/runs_controller.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/elided_label.h"

#include <array>
#include <QLabel>
#include <QMainWindow>
#include <QStatusBar>

namespace earwright::ui {
namespace {

QString gpuText(const check::Gpu& gpu)
{
    const QString name = QString::fromStdString(gpu.name);
    return gpu.utilization < 0
        ? name
        : QStringLiteral("%1 %2 %").arg(name).arg(gpu.utilization, 0, 'f', 0);
}

/// "2 errors, 1 note".
QString problemsText(const DiagnosticsModel& problems)
{
    std::array<int, 3> counts {};
    for (int row = 0; row < problems.rowCount(); ++row)
        ++counts.at(static_cast<size_t>(problems.at(row).severity));
    const QStringList texts { counted(counts[0], WindowStatus::tr("%1 error"),
                                  WindowStatus::tr("%1 errors")),
        counted(counts[1], WindowStatus::tr("%1 warning"), WindowStatus::tr("%1 warnings")),
        counted(counts[2], WindowStatus::tr("%1 note"), WindowStatus::tr("%1 notes")) };
    QStringList shown;
    for (size_t i = 0; i < counts.size(); ++i)
        if (counts.at(i) > 0)
            shown << texts[static_cast<qsizetype>(i)];
    return shown.isEmpty() ? WindowStatus::tr("no problems") : shown.join(QStringLiteral(", "));
}

} // namespace

WindowStatus::WindowStatus(const WindowParts& parts, const RunsController& runs)
    : m_parts(parts)
    , m_problems(new QLabel(&parts.window))
    , m_runs(new QLabel(&parts.window))
    , m_devices(new ElidedLabel(&parts.window)) // many GPUs have long names
{
    for (QLabel* label : { m_problems, m_runs })
        label->setContentsMargins(8, 0, 8, 0);
    for (QLabel* label : { m_problems, m_runs, m_devices })
        parts.window.statusBar()->addPermanentWidget(label);
    connect(parts.recipes, &RecipeTabs::currentChanged, this, &WindowStatus::refreshProblems);
    connect(parts.recipes, &RecipeTabs::checked, this, &WindowStatus::refreshProblems);
    connect(&runs, &RunsController::listed, this, &WindowStatus::refreshRuns);
    connect(parts.devices, &Devices::machineChanged, this, &WindowStatus::refreshDevices);
    connect(parts.devices, &Devices::loadChanged, this, &WindowStatus::refreshDevices);
    refreshProblems();
    refreshRuns();
    refreshDevices();
}

void WindowStatus::refreshProblems()
{
    const RecipePage* page = m_parts.recipes->current();
    const bool isChecked = page && page->problems()->isChecked();
    m_problems->setText(isChecked ? problemsText(*page->problems()) : QString());
}

void WindowStatus::refreshRuns()
{
    const int paused = m_parts.runs->numPaused();
    QString runs = counted(
        m_parts.runs->livePaths().size() - paused, tr("%1 run training"), tr("%1 runs training"));
    if (paused > 0)
        runs += tr(", %1 paused").arg(paused);
    if (m_parts.runs->numWaiting() > 0)
        runs += tr(", %1 waiting").arg(m_parts.runs->numWaiting());
    m_runs->setText(runs);
}

void WindowStatus::refreshDevices()
{
    const check::Machine& machine = m_parts.devices->machine();
    QStringList devices { tr("CPU %1 cores").arg(machine.cpuCores) };
    if (m_parts.devices->cpuLoad() >= 0)
        devices[0] += QStringLiteral(" %1 %").arg(m_parts.devices->cpuLoad() * 100, 0, 'f', 0);
    for (const check::Gpu& gpu : machine.gpus)
        devices << gpuText(gpu);
    m_devices->setText(devices.join(QStringLiteral("  ·  ")));
}

} // namespace earwright::ui
