#pragma once

#include "ui/widgets/plot_export.h"
#include "ui/widgets/plot_view.h"

#include <QVariantMap>
#include <QWidget>

#include <map>
#include <vector>

class QGridLayout;
class QScrollArea;
class QToolButton;

namespace earwright::ui {

class PlotToolBar;

/// Plots of one page over one x axis: a tool bar above a grid that takes as many columns as fit.
/// Crosshair, zoom in x, x axis and the curve that is pointed at are the same in all of them; what
/// the tool bar says is too, until a plot's own menu says otherwise. Plots of a group stand under a
/// heading that hides them, and that is hidden while none has a curve. A double click shows one
/// plot alone, another or Escape all of them.
class PlotBoard final : public QWidget {
    Q_OBJECT
public:
    explicit PlotBoard(QWidget* parent = nullptr);

    PlotView* addPlot(const PlotSpec& spec);
    /// A widget that takes a place in the grid as a plot does.
    void addPanel(QWidget* panel);
    /// Curves of every plot, in the order they were added.
    void setCurves(const std::vector<std::vector<PlotCurve>>& curvesOfPlots);

    /// The same in every plot.
    void setMarks(const std::vector<PlotMark>& marks);
    /// Bold in every plot that has it, where the others are faint; "" = none.
    void highlight(const QString& curve);

    /// x axis, options of every plot and closed groups, for restoreState() of a board with the same
    /// plots. What is not in a state stays as it is.
    QVariantMap state() const;
    void restoreState(const QVariantMap& state);

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
    void addHeading(const QString& group);
    void updateHome();
    bool isWanted(const PlotView& plot) const;
    void showWanted();
    void arrange();
    std::vector<PlotView*> shownPlots() const;

    PlotToolBar* m_toolBar;
    QScrollArea* m_scroll;
    QWidget* m_area;
    QGridLayout* m_grid;
    std::vector<PlotView*> m_plots;
    std::vector<QWidget*> m_cells; ///< plots, panels and headings in order
    std::map<QString, QToolButton*> m_headings; ///< by the groups' names
    PlotView* m_enlarged = nullptr; ///< all else is hidden
    int m_columns = 0;
    std::vector<QWidget*> m_arranged; ///< what is in the grid
};

} // namespace earwright::ui
