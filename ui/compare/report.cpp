#include "ui/compare/report.h"

#include "core/base/text.h"
#include "core/run/capsule.h"
#include "core/run/follower.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/report_table.h"
#include "ui/compare/report_verdicts.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/qcp.h"
#include "ui/widgets/theme.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace earwright::ui {

namespace {

constexpr int kWidth = 1560;
constexpr int kMargin = 24;
constexpr int kHeading = 48;
constexpr int kPageWidth = kWidth - 2 * kMargin;
constexpr QSize kPlot { kPageWidth / 2, 300 };
constexpr QSize kBars { kPageWidth, 90 };
constexpr int kBarHeight = 30;

/// The parts of a report; widgets that are never shown, for QCustomPlot paints itself only as one.
struct Report {
    CompareModel model;
    std::vector<std::unique_ptr<PlotView>> plots;
    SpeedBars bars;
    QSize barsSize;
    int tableHeight = 0;
    QStringList verdicts;

    std::vector<PlotView*> views() const
    {
        std::vector<PlotView*> views;
        for (const auto& plot : plots)
            views.push_back(plot.get());
        return views;
    }
    QSize size() const
    {
        const int plotRows = (static_cast<int>(plots.size()) + 1) / 2;
        return { kWidth,
            3 * kMargin + kHeading + tableHeight + verdictsHeight(verdicts, kPageWidth)
                + plotRows * kPlot.height() + barsSize.height() };
    }
};

std::unique_ptr<Report> makeReport(const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    auto report = std::make_unique<Report>();
    const QString baseline
        = baselinePath.isEmpty() && !runs.empty() ? runs.front().path : baselinePath;
    report->model.setRuns(runs);
    report->model.setBaseline(baseline);
    report->tableHeight = tablesHeight(report->model);
    const auto curves = DrawnCurves().of(runs, XAxis::Step, { baseline });
    const auto specs = comparePlots();
    for (size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].isHiddenWhenEmpty && curves[i].empty())
            continue;
        report->plots.push_back(std::make_unique<PlotView>(specs[i]));
        report->plots.back()->setPalette(lightPalette());
        report->plots.back()->setCurves(curves[i]);
    }
    report->bars.setPalette(lightPalette());
    report->bars.setRuns(runs, baseline);
    report->barsSize = kBars + QSize(0, kBarHeight * report->bars.numBars());
    return report;
}

QString headingOf(size_t numRuns)
{
    return counted(static_cast<qsizetype>(numRuns),
        QCoreApplication::translate("Report", "Report of %1 run"),
        QCoreApplication::translate("Report", "Comparison of %1 runs"));
}

void paintReport(QCPPainter& painter, Report& report, const std::vector<CompareRun>& runs)
{
    painter.fillRect(QRect(QPoint(), report.size()), Qt::white);
    QFont heading = painter.font();
    heading.setPixelSize(22);
    heading.setBold(true);
    painter.save();
    painter.setFont(heading);
    painter.setPen(lightPalette().color(QPalette::Text));
    painter.drawText(QRect(kMargin, kMargin / 2, kPageWidth, kHeading),
        Qt::AlignLeft | Qt::AlignVCenter, headingOf(runs.size()));
    painter.restore();
    painter.translate(kMargin, kMargin + kHeading);
    paintTables(painter, report.model, runs, kPageWidth);
    painter.translate(0, kMargin + report.tableHeight);
    paintVerdicts(painter, report.verdicts, kPageWidth);
    painter.translate(0, verdictsHeight(report.verdicts, kPageWidth));
    paintTiled(painter, report.views(), 2, kPlot);
    painter.translate(0, (static_cast<int>(report.plots.size()) + 1) / 2 * kPlot.height());
    report.bars.paint(painter, report.barsSize);
}

/// Names of runs and files may hold what a terminal would obey.
void complain(const std::string& message)
{
    std::fprintf(stderr, "%s\n", withoutControls(message).c_str());
}

/// What to say of a run without events.
const char* whyUnread(const QString& path)
{
    if (!QFileInfo::exists(path))
        return "there is no such folder";
    if (run::isCapsuleFile(path.toStdString()))
        return "it is a capsule; unpack it (it is a zip archive) and give the folder in it";
    return "it holds no events; give the folder of a run that was started";
}

} // namespace

Export reportExport(const QString& path, const std::vector<CompareRun>& runs,
    const QString& baselinePath, const QStringList& verdicts)
{
    const std::unique_ptr<Report> report = makeReport(runs, baselinePath);
    report->verdicts = verdicts;
    return pictureExport(
        path, report->size(), [&](QCPPainter& painter) { paintReport(painter, *report, runs); });
}

int runReport(const QString& pngPath, const QStringList& runFolders)
{
    if (runFolders.isEmpty()) {
        std::fprintf(
            stderr, "no run folder given; usage: earwright-studio --report OUT.png RUN_DIR...\n");
        return 2;
    }
    std::vector<CompareRun> runs;
    QStringList paths;
    for (const QString& folder : runFolders)
        paths << QDir(folder).absolutePath();
    const QStringList names = shortRunNames(paths);
    for (const QString& path : paths) {
        run::Follower follower(run::RunFolder { path.toStdString() });
        const Result<bool> read = follower.poll();
        if (!read || follower.snapshot().startTime == 0) {
            complain("cannot read run " + inQuotes(path.toStdString()) + ": "
                + (read ? whyUnread(path) : read.error().message));
            return 3;
        }
        for (const run::LogDamage& damage : follower.snapshot().damage)
            complain(path.toStdString() + ": warning: " + run::damageText(damage));
        const QString& name = names[static_cast<qsizetype>(runs.size())];
        runs.push_back({ path, name, runColor(path),
            std::make_shared<const run::Snapshot>(follower.snapshot()) });
    }
    nameByDifferences(runs, names, readOverridesOf(paths));
    const Status written = reportExport(pngPath, runs, {}, reportVerdicts(runs))();
    if (!written)
        complain(written.error().message);
    return written ? 0 : 3;
}

} // namespace earwright::ui
