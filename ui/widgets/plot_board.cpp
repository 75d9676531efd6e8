#include "ui/widgets/plot_board.h"

#include "ui/widgets/plot_tool_bar.h"
#include "ui/widgets/qcp.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <optional>

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

QVariantList listOf(const PlotOptions& options)
{
    return { options.smoothing, options.isLogY, options.isClipped };
}

std::optional<PlotOptions> optionsOf(const QVariant& value)
{
    const QVariantList list = value.toList();
    if (list.size() < 3)
        return std::nullopt;
    return PlotOptions { list[0].toDouble(), list[1].toBool(), list[2].toBool() };
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
    connect(m_toolBar, &PlotToolBar::clippedChosen, this, [this](bool isClipped) {
        for (PlotView* plot : m_plots)
            plot->setClipped(isClipped);
    });
    connect(m_toolBar, &PlotToolBar::resetRequested, this, &PlotBoard::resetZoom);
    connect(m_toolBar, &PlotToolBar::exportRequested, this, &PlotBoard::exportRequested);
}

PlotView* PlotBoard::addPlot(const PlotSpec& spec)
{
    if (!spec.group.isEmpty() && !m_headings.contains(spec.group))
        addHeading(spec.group);
    auto* plot = new PlotView(spec, m_area);
    m_plots.push_back(plot);
    connectPlot(plot);
    addPanel(plot);
    return plot;
}

void PlotBoard::addHeading(const QString& group)
{
    auto* heading = new QToolButton(m_area);
    heading->setText(group);
    heading->setCheckable(true);
    heading->setChecked(true);
    heading->setAutoRaise(true);
    heading->setArrowType(Qt::DownArrow);
    heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    heading->hide();
    m_headings[group] = heading;
    m_cells.push_back(heading);
    connect(heading, &QToolButton::toggled, this, [this, heading](bool isOpen) {
        heading->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        showWanted();
    });
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
    connect(view, &PlotView::curveHovered, this, &PlotBoard::highlight);
    connect(view, &PlotView::enlargeWanted, this, [this, view](bool isToggled) {
        m_enlarged = isToggled && m_enlarged != view ? view : nullptr;
        showWanted();
        view->setFocus();
    });
}

void PlotBoard::setCurves(const std::vector<std::vector<PlotCurve>>& curvesOfPlots)
{
    for (size_t i = 0; i < m_plots.size() && i < curvesOfPlots.size(); ++i) {
        m_plots[i]->setCurves(curvesOfPlots[i]);
        m_plots[i]->setMinimumHeight(leastHeight(curvesOfPlots[i].size(), fontMetrics()));
    }
    updateHome();
    showWanted();
}

void PlotBoard::setMarks(const std::vector<PlotMark>& marks)
{
    for (PlotView* plot : m_plots)
        plot->setMarks(marks);
}

void PlotBoard::highlight(const QString& curve)
{
    for (PlotView* plot : m_plots)
        plot->highlight(curve);
}

bool PlotBoard::isWanted(const PlotView& plot) const
{
    const PlotSpec& spec = plot.spec();
    const bool isOpen = spec.group.isEmpty() || m_headings.at(spec.group)->isChecked();
    return isOpen && (!spec.isHiddenWhenEmpty || !plot.isEmpty());
}

void PlotBoard::showWanted()
{
    if (m_enlarged && !isWanted(*m_enlarged))
        m_enlarged = nullptr;
    for (const auto& [group, heading] : m_headings) {
        const auto isUnderIt = [&name = group](const PlotView* plot) {
            return plot->spec().group == name
                && (!plot->spec().isHiddenWhenEmpty || !plot->isEmpty());
        };
        heading->setVisible(!m_enlarged && std::any_of(m_plots.begin(), m_plots.end(), isUnderIt));
    }
    for (QWidget* cell : m_cells) {
        if (auto* plot = qobject_cast<PlotView*>(cell))
            plot->setVisible(m_enlarged ? plot == m_enlarged : isWanted(*plot));
        else if (!qobject_cast<QToolButton*>(cell))
            cell->setVisible(!m_enlarged);
    }
    arrange();
}

QVariantMap PlotBoard::state() const
{
    QVariantMap plots;
    for (const PlotView* plot : m_plots)
        plots.insert(plot->spec().id, listOf(plot->options()));
    QStringList closed;
    for (const auto& [group, heading] : m_headings) {
        if (!heading->isChecked())
            closed << group;
    }
    return { { QStringLiteral("xAxis"), static_cast<int>(m_toolBar->xAxis()) },
        { QStringLiteral("all"), listOf(m_toolBar->options()) }, { QStringLiteral("plots"), plots },
        { QStringLiteral("closed"), closed } };
}

void PlotBoard::restoreState(const QVariantMap& state)
{
    if (const QVariant axis = state.value(QStringLiteral("xAxis")); axis.isValid())
        m_toolBar->setXAxis(static_cast<XAxis>(axis.toInt()));
    if (const auto options = optionsOf(state.value(QStringLiteral("all"))))
        m_toolBar->setOptions(*options);
    const QVariantMap plots = state.value(QStringLiteral("plots")).toMap();
    for (PlotView* plot : m_plots) {
        if (const auto options = optionsOf(plots.value(plot->spec().id)))
            plot->setOptions(*options);
    }
    const QStringList closed = state.value(QStringLiteral("closed")).toStringList();
    for (const auto& [group, heading] : m_headings)
        heading->setChecked(!closed.contains(group));
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
    std::vector<QWidget*> shown;
    std::copy_if(m_cells.begin(), m_cells.end(), std::back_inserter(shown),
        [](const QWidget* cell) { return !cell->isHidden(); });
    if (columns == m_columns && shown == m_arranged)
        return;
    m_columns = columns;
    m_arranged = shown;
    for (QWidget* cell : m_cells)
        m_grid->removeWidget(cell);
    const auto isHeading
        = [&](size_t i) { return qobject_cast<QToolButton*>(shown[i]) != nullptr; };
    int row = 0;
    int column = 0;
    for (size_t i = 0; i < shown.size(); ++i) {
        // A heading has a row; the last one before it takes what is left of its own.
        const bool isLast = isHeading(i) || i + 1 == shown.size() || isHeading(i + 1);
        const int span = isLast ? columns - column : 1;
        m_grid->addWidget(
            shown[i], row, column, 1, span, isHeading(i) ? Qt::AlignLeft : Qt::Alignment());
        column = (column + span) % columns;
        row += column == 0 ? 1 : 0;
    }
    for (int i = 0; i < kMostColumns; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
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
