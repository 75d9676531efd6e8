#include "ui/widgets/plot_board.h"

#include "ui/widgets/plot_tool_bar.h"
#include "ui/widgets/qcp.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kNarrowestPlot = 290;
constexpr int kMostColumns = 3;
constexpr int kLowestPlot = 190;
constexpr int kCurvesInIt = 3; ///< a plot so low has room for their names above its axes
constexpr int kMostNames = 12; ///< beyond these a plot gets no taller
constexpr QSize kExportedPlot { 640, 320 };

/// Each name may take a row of the legend.
int leastHeight(size_t curves, const QFontMetrics& metrics)
{
    const int more = std::min(static_cast<int>(curves), kMostNames) - kCurvesInIt;
    return kLowestPlot + std::max(0, more) * (metrics.height() + 3);
}

} // namespace

PlotBoard::PlotBoard(QWidget* parent)
    : QWidget(parent)
    , m_toolBar(new PlotToolBar(this))
    , m_scroll(new QScrollArea(this))
    , m_area(new QWidget)
    , m_grid(new QGridLayout(m_area))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_toolBar);
    layout->addWidget(m_scroll, 1);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(8);
    m_scroll->setWidget(m_area);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setAccessibleName(tr("Plots"));
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connectToolBar();
}

void PlotBoard::connectToolBar()
{
    connect(m_toolBar, &PlotToolBar::xAxisChosen, this, [this](XAxis axis) {
        for (PlotView* plot : m_plots)
            plot->setXAxis(axis);
        updateHome();
    });
    connect(m_toolBar, &PlotToolBar::smoothingChosen, this, [this](double smoothing) {
        for (PlotView* plot : m_plots)
            plot->setSmoothing(smoothing);
    });
    connect(m_toolBar, &PlotToolBar::logYChosen, this, [this](bool isLogY) {
        for (PlotView* plot : m_plots)
            plot->setLogY(isLogY);
    });
    connect(m_toolBar, &PlotToolBar::resetRequested, this, &PlotBoard::resetZoom);
    connect(m_toolBar, &PlotToolBar::exportRequested, this, &PlotBoard::exportRequested);
}

PlotView* PlotBoard::addPlot(const PlotSpec& spec)
{
    auto* plot = new PlotView(spec, m_area);
    m_plots.push_back(plot);
    connectPlot(plot);
    addPanel(plot);
    return plot;
}

void PlotBoard::addPanel(QWidget* panel)
{
    panel->setParent(m_area);
    panel->setMinimumHeight(kLowestPlot);
    m_cells.push_back(panel);
    m_columns = 0;
    arrange();
}

void PlotBoard::connectPlot(PlotView* view)
{
    connect(view, &PlotView::crosshairMoved, this, [this, view](double key) {
        for (PlotView* plot : shownPlots()) {
            if (plot != view)
                plot->showCrosshair(key);
        }
    });
    connect(view, &PlotView::crosshairLeft, this, [this] {
        for (PlotView* plot : m_plots)
            plot->hideCrosshair();
    });
    connect(view, &PlotView::zoomed, this, [this, view](double lower, double upper) {
        for (PlotView* plot : m_plots) {
            if (plot != view)
                plot->zoomX(lower, upper);
        }
    });
    connect(view, &PlotView::zoomReset, this, &PlotBoard::resetZoom);
}

void PlotBoard::setCurves(const std::vector<std::vector<PlotCurve>>& curvesOfPlots)
{
    for (size_t i = 0; i < m_plots.size() && i < curvesOfPlots.size(); ++i) {
        m_plots[i]->setCurves(curvesOfPlots[i]);
        m_plots[i]->setMinimumHeight(leastHeight(curvesOfPlots[i].size(), fontMetrics()));
        m_plots[i]->setVisible(!m_plots[i]->spec().isHiddenWhenEmpty || !curvesOfPlots[i].empty());
    }
    updateHome();
    arrange();
}

void PlotBoard::updateHome()
{
    std::optional<Extent> home;
    for (const PlotView* plot : m_plots)
        home = united(home, plot->keyExtent());
    for (PlotView* plot : m_plots)
        plot->setHome(home);
}

void PlotBoard::arrange()
{
    const int columns = std::clamp(width() / kNarrowestPlot, 1, kMostColumns);
    const auto isShown = [](const QWidget* cell) { return !cell->isHidden(); };
    const auto shown = static_cast<int>(std::count_if(m_cells.begin(), m_cells.end(), isShown));
    if (columns == m_columns && shown == m_numShown)
        return;
    m_columns = columns;
    m_numShown = shown;
    for (QWidget* cell : m_cells)
        m_grid->removeWidget(cell);
    int index = 0;
    for (QWidget* cell : m_cells) {
        if (!isShown(cell))
            continue;
        // The last one takes what is left of its row.
        const int span = index == shown - 1 ? columns - index % columns : 1;
        m_grid->addWidget(cell, index / columns, index % columns, 1, span);
        ++index;
    }
    for (int column = 0; column < kMostColumns; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

void PlotBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

std::vector<PlotView*> PlotBoard::shownPlots() const
{
    std::vector<PlotView*> shown;
    std::copy_if(m_plots.begin(), m_plots.end(), std::back_inserter(shown),
        [](const PlotView* plot) { return !plot->isHidden(); });
    return shown;
}

void PlotBoard::resetZoom()
{
    for (PlotView* plot : m_plots)
        plot->resetZoom();
}

Export PlotBoard::prepareExport(const QString& path)
{
    const std::vector<PlotView*> shown = shownPlots();
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        return csvExport(path, shown);
    const int columns = shown.size() > 1 ? 2 : 1;
    const int rows = (static_cast<int>(shown.size()) + columns - 1) / columns;
    const QSize size(columns * kExportedPlot.width(), rows * kExportedPlot.height());
    return pictureExport(path, size,
        [&](QCPPainter& painter) { paintTiled(painter, shown, columns, kExportedPlot); });
}

} // namespace earwright::ui
