#include "ui/compare/report.h"

#include "core/run/follower.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/plot_export.h"
#include "ui/widgets/qcp.h"
#include "ui/widgets/theme.h"

#include <QDir>
#include <QFileInfo>

#include <cstdio>
#include <memory>

namespace kymo::ui {

namespace {

constexpr int kWidth = 1560;
constexpr int kMargin = 24;
constexpr int kHeading = 48;
constexpr int kRow = 26;
constexpr int kNameWidth = 230;
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
        return { kWidth, 3 * kMargin + kHeading + tableHeight + plotRows * kPlot.height() + barsSize.height() };
    }
};

std::unique_ptr<Report> makeReport(const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    auto report = std::make_unique<Report>();
    const QString baseline = baselinePath.isEmpty() && !runs.empty() ? runs.front().path : baselinePath;
    report->model.setRuns(runs);
    report->model.setBaseline(baseline);
    report->tableHeight = kRow * (report->model.rowCount() + 1);
    const auto curves = compareCurves(runs);
    const auto specs = comparePlots();
    for (size_t i = 0; i < specs.size(); ++i) {
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
    return QCoreApplication::translate("Report", "Comparison of %n run(s)", nullptr, static_cast<int>(numRuns));
}

void paintCell(QPainter& painter, const QRect& cell, const QString& text, Qt::Alignment alignment)
{
    const QRect inner = cell.adjusted(4, 0, -4, 0);
    painter.drawText(inner, static_cast<int>(alignment), painter.fontMetrics().elidedText(text, Qt::ElideMiddle, inner.width()));
}

void paintRow(QPainter& painter, const CompareModel& model, int row, int top)
{
    const int columnWidth = (kWidth - 2 * kMargin - kNameWidth) / (model.columnCount() - 1);
    int left = kMargin;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QRect cell(left, top, column == 0 ? kNameWidth : columnWidth, kRow);
        const QModelIndex index = model.index(std::max(0, row), column);
        const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        const QString text = row < 0 ? model.headerData(column, Qt::Horizontal).toString() : index.data().toString();
        paintCell(painter, cell, text, alignment ? alignment : Qt::AlignLeft | Qt::AlignVCenter);
        left += cell.width();
    }
}

void paintTable(QPainter& painter, const CompareModel& model, int top, const std::vector<CompareRun>& runs)
{
    QFont small = painter.font();
    small.setPixelSize(11);
    painter.setFont(small);
    for (int row = -1; row < model.rowCount(); ++row) {
        const int y = top + (row + 1) * kRow;
        painter.setPen(lightPalette().color(row < 0 ? QPalette::PlaceholderText : QPalette::Text));
        paintRow(painter, model, row, y);
        painter.setPen(lightPalette().color(QPalette::Mid));
        painter.drawLine(kMargin, y + kRow - 1, kWidth - kMargin, y + kRow - 1);
        if (row >= 0)
            painter.fillRect(kMargin - 8, y + 6, 5, kRow - 12, runs[static_cast<size_t>(row)].color);
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
    painter.drawText(QRect(kMargin, kMargin / 2, kWidth - 2 * kMargin, kHeading), Qt::AlignLeft | Qt::AlignVCenter, headingOf(runs.size()));
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

Status writeReportFile(const QString& path, const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    const std::unique_ptr<Report> report = makeReport(runs, baselinePath);
    return writePicture(path, report->size(), [&](QCPPainter& painter) { paintReport(painter, *report, runs); });
}

bool writeReport(const QString& pngPath, const std::vector<CompareRun>& runs)
{
    return static_cast<bool>(writeReportFile(pngPath, runs));
}

int runReport(const QString& pngPath, const QStringList& runFolders)
{
    if (runFolders.isEmpty()) {
        std::fprintf(stderr, "no run folder given; usage: kymo-studio --report OUT.png RUN_DIR...\n");
        return 2;
    }
    std::vector<CompareRun> runs;
    for (const QString& folder : runFolders) {
        const QString path = QDir(folder).absolutePath();
        run::Follower follower(run::RunFolder { path.toStdString() });
        const Result<bool> read = follower.poll();
        if (!read || follower.snapshot().startTime == 0) {
            std::fprintf(stderr, "cannot read run '%s': %s\n", qPrintable(folder),
                read ? "it holds no events; give the folder of a run that was started" : read.error().message.c_str());
            return 3;
        }
        runs.push_back({ path, QFileInfo(path).fileName(), runColor(path), std::make_shared<const run::Snapshot>(follower.snapshot()) });
    }
    const Status written = writeReportFile(pngPath, runs);
    if (!written)
        std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return written ? 0 : 3;
}

} // namespace kymo::ui
