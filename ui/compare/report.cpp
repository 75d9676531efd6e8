#include "ui/compare/report.h"

#include "core/run/follower.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/plot_export.h"
#include "ui/widgets/qcp.h"
#include "ui/widgets/theme.h"

#include <QDir>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace kymo::ui {

namespace {

constexpr int kWidth = 1560;
constexpr int kMargin = 24;
constexpr int kHeading = 48;
constexpr int kRow = 26;
constexpr int kCellPadding = 20;
constexpr QSize kPlot { (kWidth - 2 * kMargin) / 2, 300 };
constexpr QSize kBars { kWidth - 2 * kMargin, 90 };
constexpr int kBarHeight = 30;

/// The parts of a report; widgets that are never shown, for QCustomPlot paints itself only as one.
struct Report {
    CompareModel model;
    std::vector<std::unique_ptr<PlotView>> plots;
    SpeedBars bars;
    QSize barsSize;
    int tableHeight = 0;

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
            3 * kMargin + kHeading + tableHeight + plotRows * kPlot.height() + barsSize.height() };
    }
};

std::unique_ptr<Report> makeReport(const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    auto report = std::make_unique<Report>();
    const QString baseline
        = baselinePath.isEmpty() && !runs.empty() ? runs.front().path : baselinePath;
    report->model.setRuns(runs);
    report->model.setBaseline(baseline);
    report->tableHeight = kRow * (report->model.rowCount() + 1);
    const auto curves = compareCurves(runs);
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
    report->barsSize = kBars + QSize(0, kBarHeight * static_cast<int>(runs.size()));
    return report;
}

QString headingOf(size_t numRuns)
{
    return counted(static_cast<qsizetype>(numRuns),
        QCoreApplication::translate("Report", "Report of %1 run"),
        QCoreApplication::translate("Report", "Comparison of %1 runs"));
}

struct TableColumn {
    int index = 0; ///< of the model
    int width = 0;
};

QString cellText(const CompareModel& model, int row, int column)
{
    return row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                   : model.index(row, column).data().toString();
}

bool hasFigures(const CompareModel& model, int column)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        if (const QString text = cellText(model, row, column);
            !text.isEmpty() && text != QStringLiteral("–"))
            return true;
    }
    return false;
}

/// As wide as their text, all in all as wide as the page; columns without a figure are left out.
std::vector<TableColumn> tableColumns(const CompareModel& model, const QFontMetrics& metrics)
{
    std::vector<TableColumn> columns;
    int total = 0;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (!hasFigures(model, column))
            continue;
        int width = 0;
        for (int row = -1; row < model.rowCount(); ++row)
            width = std::max(
                width, metrics.horizontalAdvance(cellText(model, row, column)) + kCellPadding);
        columns.push_back({ column, width });
        total += width;
    }
    for (TableColumn& column : columns)
        column.width = column.width * (kWidth - 2 * kMargin) / std::max(1, total);
    return columns;
}

void paintRow(QPainter& painter, const CompareModel& model, const std::vector<TableColumn>& columns,
    int row, int top)
{
    int left = kMargin;
    for (const TableColumn& column : columns) {
        const QRect cell = QRect(left, top, column.width, kRow).adjusted(4, 0, -4, 0);
        const auto alignment
            = model.index(0, column.index).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        const QString text = painter.fontMetrics().elidedText(
            cellText(model, row, column.index), Qt::ElideMiddle, cell.width());
        painter.drawText(
            cell, static_cast<int>(alignment ? alignment : Qt::AlignLeft | Qt::AlignVCenter), text);
        left += column.width;
    }
}

void paintTable(
    QPainter& painter, const CompareModel& model, int top, const std::vector<CompareRun>& runs)
{
    QFont small = painter.font();
    small.setPixelSize(11);
    painter.setFont(small);
    const std::vector<TableColumn> columns = tableColumns(model, QFontMetrics(small));
    for (int row = -1; row < model.rowCount(); ++row) {
        const int y = top + (row + 1) * kRow;
        painter.setPen(lightPalette().color(row < 0 ? QPalette::PlaceholderText : QPalette::Text));
        paintRow(painter, model, columns, row, y);
        painter.setPen(lightPalette().color(QPalette::Mid));
        painter.drawLine(kMargin, y + kRow - 1, kWidth - kMargin, y + kRow - 1);
        if (row >= 0)
            painter.fillRect(
                kMargin - 8, y + 6, 5, kRow - 12, runs[static_cast<size_t>(row)].color);
    }
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
    painter.drawText(QRect(kMargin, kMargin / 2, kWidth - 2 * kMargin, kHeading),
        Qt::AlignLeft | Qt::AlignVCenter, headingOf(runs.size()));
    painter.restore();
    painter.save();
    paintTable(painter, report.model, kMargin + kHeading, runs);
    painter.restore();
    painter.translate(kMargin, 2 * kMargin + kHeading + report.tableHeight);
    paintTiled(painter, report.views(), 2, kPlot);
    painter.translate(0, (static_cast<int>(report.plots.size()) + 1) / 2 * kPlot.height());
    report.bars.paint(painter, report.barsSize);
}

} // namespace

Status writeReportFile(
    const QString& path, const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    const std::unique_ptr<Report> report = makeReport(runs, baselinePath);
    return writePicture(
        path, report->size(), [&](QCPPainter& painter) { paintReport(painter, *report, runs); });
}

bool writeReport(const QString& pngPath, const std::vector<CompareRun>& runs)
{
    return static_cast<bool>(writeReportFile(pngPath, runs));
}

int runReport(const QString& pngPath, const QStringList& runFolders)
{
    if (runFolders.isEmpty()) {
        std::fprintf(
            stderr, "no run folder given; usage: kymo-studio --report OUT.png RUN_DIR...\n");
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
            std::fprintf(stderr, "cannot read run '%s': %s\n", qPrintable(path),
                read ? "it holds no events; give the folder of a run that was started"
                     : read.error().message.c_str());
            return 3;
        }
        const QString& name = names[static_cast<qsizetype>(runs.size())];
        runs.push_back({ path, name, runColor(path),
            std::make_shared<const run::Snapshot>(follower.snapshot()) });
    }
    const Status written = writeReportFile(pngPath, runs);
    if (!written)
        std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return written ? 0 : 3;
}

} // namespace kymo::ui
