#include "ui/widgets/plot_heading.h"

#include "ui/widgets/qcp.h"

#include <algorithm>
#include <QWidget>

namespace earwright::ui {
namespace {

constexpr int kLegendIconWidth = 22;
constexpr int kLegendRoom = 60; ///< icon and margins
constexpr size_t kMostInLegend = 12;

} // namespace

PlotHeading::PlotHeading(QCustomPlot& plot, const QString& title, const QWidget& view)
    : m_plot(plot)
    , m_view(view)
{
    QCPLayoutGrid* rows = plot.plotLayout();
    rows->setRowSpacing(2);
    rows->insertRow(0);
    rows->insertRow(1);
    QFont bold = view.font();
    bold.setBold(true);
    auto* text = new QCPTextElement(&plot, title, bold);
    text->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    text->setMargins(QMargins(10, 6, 10, 0));
    rows->addElement(0, 0, text);
    buildLegend();
}

void PlotHeading::buildLegend()
{
    QCPLegend* legend = m_plot.legend;
    m_plot.axisRect()->insetLayout()->take(legend);
    auto* row = new QCPLayoutGrid;
    row->addElement(0, 0, legend);
    row->addElement(0, 1, new QCPLayoutElement(&m_plot));
    row->setColumnStretchFactor(0, 0.0001);
    m_plot.plotLayout()->addElement(1, 0, row);
    m_plot.plotLayout()->setRowStretchFactor(1, 0.0001);
    legend->setVisible(true);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, false);
    legend->setMargins(QMargins(10, 0, 4, 4));
    // As tall as the text: the legend clips what hangs below its icons.
    legend->setIconSize(kLegendIconWidth, m_view.fontMetrics().height() + 3);
    legend->setColumnSpacing(14);
    legend->setRowSpacing(0);
}

void PlotHeading::showCurves(const std::vector<std::unique_ptr<CurveGraphs>>& graphs, int width)
{
    size_t nonFinite = 0;
    for (const auto& each : graphs)
        nonFinite += each->nonFiniteCount();
    QCPLegend* legend = m_plot.legend;
    legend->clearItems();
    if (graphs.size() < 2 && nonFinite == 0)
        return;
    const size_t shown = std::min(graphs.size(), kMostInLegend);
    for (size_t i = 0; i < shown; ++i)
        graphs[i]->addToLegend(m_view.fontMetrics(), width - kLegendRoom);
    int widest = 1;
    for (int i = 0; i < legend->itemCount(); ++i) {
        // A grid with more than one row has empty cells, which count.
        if (const QCPAbstractLegendItem* item = legend->item(i))
            widest = std::max(widest, item->minimumOuterSizeHint().width());
    }
    legend->setWrap(std::max(1, (width - 20) / (widest + legend->columnSpacing())));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

} // namespace earwright::ui
