#pragma once

#include "ui/widgets/plot_export.h"
#include "ui/widgets/plot_view.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QScrollArea;

namespace earwright::ui {

class PlotToolBar;

/// Plots of one page over one x axis: a tool bar above a grid that takes as many columns as fit.
/// Crosshair, zoom in x, x axis and smoothing are the same in all of them.
class PlotBoard final : public QWidget {
    Q_OBJECT
public:
    explicit PlotBoard(QWidget* parent = nullptr);

    PlotView* addPlot(const PlotSpec& spec);
    /// A widget that takes a place in the grid as a plot does.
    void addPanel(QWidget* panel);
    /// Curves of every plot, in the order they were added.
    void setCurves(const std::vector<std::vector<PlotCurve>>& curvesOfPlots);

    const std::vector<PlotView*>& plots() const { return m_plots; }
    PlotToolBar* toolBar() const { return m_toolBar; }

    void resetZoom();
    /// .csv holds every logged point, .png, .pdf and .svg what is on screen.
    [[nodiscard]] Export prepareExport(const QString& path);

Q_SIGNALS:
    void exportRequested(); ///< the tool bar's button

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectToolBar();
    void connectPlot(PlotView* view);
    void updateHome();
    void arrange();
    std::vector<PlotView*> shownPlots() const;

    PlotToolBar* m_toolBar;
    QScrollArea* m_scroll;
    QWidget* m_area;
    QGridLayout* m_grid;
    std::vector<PlotView*> m_plots;
    std::vector<QWidget*> m_cells; ///< plots and panels in order
    int m_columns = 0;
    int m_numShown = 0;
};

} // namespace earwright::ui
