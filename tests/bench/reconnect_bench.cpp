#include "core/run/follower.h"
#include "core/run/history_file.h"
#include "tests/run/log_fixture.h"
#include "ui/monitor/monitor_page.h"
#include "ui/session/main_window.h"
#include "ui/widgets/plot_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include <clocale>
#include <cmath>
#include <cstdio>

using namespace earwright;

namespace {

/// A run of so many steps with 6 scalars each.
void writeLongRun(const run::RunFolder& folder, int64_t steps)
{
    const char* const tags[] = { "train/loss", "train/it_per_s", "train/lr", "train/grad_norm",
        "train/data_wait", "train/loss_scale" };
    const std::filesystem::path log = folder.events(0) / run::eventFileName(0);
    run::writeBytes(log,
        run::logBytes({ { 1000, run::RunStarted { .name = "long", .devices = { "cpu" } } },
            { 1000, run::PhaseChanged { "train", 1, 0 } } }));
    std::ofstream file(log, std::ios::binary | std::ios::app);
    std::string bytes;
    for (int64_t step = 1; step <= steps; ++step) {
        for (const char* tag : tags)
            run::appendRecord(bytes,
                run::encodeEvent({ 1000 + 0.1 * static_cast<double>(step),
                    run::Scalar { tag, step, std::sin(1e-3 * static_cast<double>(step)) } }));
        if (step % 1000 == 0 || step == steps) {
            file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            bytes.clear();
        }
    }
    run::writeBytes(folder.path / "plan.json", "{}");
}

double pollSeconds(const run::RunFolder& folder)
{
    QElapsedTimer clock;
    clock.start();
    run::Follower follower(folder);
    if (const auto read = follower.poll(); !read)
        qFatal("%s", read.error().message.c_str());
    const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    std::printf("  %.3f s, %.1f MiB of events read\n", seconds,
        static_cast<double>(follower.logBytesRead()) / (1 << 20));
    return seconds;
}

/// From the start of the window to the whole curve on its monitor page.
double windowSeconds(const run::RunFolder& folder, size_t steps)
{
    QElapsedTimer clock;
    clock.start();
    ui::Theme theme;
    ui::SessionState state;
    state.runsRoot = QString::fromStdString(folder.path.parent_path().string());
    state.selectedRun = QString::fromStdString(folder.path.string());
    state.page = ui::MainWindow::MonitorPageIndex;
    ui::MainWindow window(theme, state);
    window.show();
    const auto* plot
        = window.findChild<ui::MonitorPage*>()->findChild<ui::PlotView*>(QStringLiteral("loss"));
    while (plot->curves().empty() || plot->curves().front().series->points().size() < steps)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.grab(); // what is shown is drawn
    return static_cast<double>(clock.nsecsElapsed()) / 1e9;
}

} // namespace

/// What opening a window on a long run costs: reconnect_bench [STEPS].
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
    const QTemporaryDir dir;
    QCoreApplication::setOrganizationName(QStringLiteral("earwright-bench"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, dir.path());
    const int64_t steps = argc > 1 ? std::atoll(argv[1]) : 1000000;
    const run::RunFolder folder { dir.path().toStdString() + "/runs/long" };
    writeLongRun(folder, steps);
    std::printf("%lld steps, 6 scalars each, %.1f MiB of events\n", static_cast<long long>(steps),
        static_cast<double>(std::filesystem::file_size(folder.events(0) / run::eventFileName(0)))
            / (1 << 20));
    std::printf("from the events alone (and the side file written):\n");
    pollSeconds(folder);
    std::printf("from the side file, %.1f MiB:\n",
        static_cast<double>(std::filesystem::file_size(run::historyPath(folder))) / (1 << 20));
    for (int i = 0; i < 3; ++i)
        pollSeconds(folder);
    std::printf("the window, from its start to the whole curve drawn:\n");
    for (int i = 0; i < 3; ++i)
        std::printf("  %.3f s\n", windowSeconds(folder, static_cast<size_t>(steps)));
    return 0;
}
