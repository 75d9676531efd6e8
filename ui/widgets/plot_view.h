#pragma once

#include "ui/widgets/plot_graphs.h"
#include "ui/widgets/plot_marks.h"
#include "ui/widgets/plot_range.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCPPainter;
class QCustomPlot;
class QMouseEvent;

namespace earwright::ui {

class PlotCrosshair;
class PlotHeading;
class PlotOutliers;

struct PlotSpec {
    QString id; ///< the widget's object name
    QString title;
    QString unit; ///< label of the y axis
    bool isHiddenWhenEmpty = false;
    QString group {}; ///< heading that it stands under on a board; "" = none
};

/// How a plot draws its curves.
struct PlotOptions {
    double smoothing = 0; ///< see CurveDerived; below 1
    bool isLogY = false;
    bool isClipped = true; ///< see PlotOutliers
    bool operator==(const PlotOptions&) const = default;
};

/// Curves over one x axis. Whatever their length, a frame costs O(width): extremes are always
/// drawn (or marked at the edge, see PlotOutliers), and zooming in reaches every point. NaN and Inf
/// are drawn on a rail at the top and counted in the legend. Repaints at most 30 times a second.
/// Ctrl + wheel: zoom x (Shift: y); the wheel alone is the page's. Drag: pan. Shift + drag: zoom
/// into a rectangle. With the focus: arrows pan, + and - zoom, Home shows all. GUI thread only.
class PlotView final : public QWidget {
    Q_OBJECT
public:
    explicit PlotView(PlotSpec spec, QWidget* parent = nullptr);
    ~PlotView() override;

    const PlotSpec& spec() const { return m_spec; }
    QCustomPlot* plot() const { return m_plot; }

    /// Shows these curves, in this order, instead of those before. Every series must be there.
    void setCurves(const std::vector<PlotCurve>& curves);
    std::vector<PlotCurve> curves() const;
    /// What the QCustomPlot holds of a curve for the range on screen: every point, as logged, once
    /// zoomed in to at most two a pixel. Empty where there is no such curve.
    std::vector<run::Point> points(const QString& curve) const;
    /// Keys from the first point of any curve to the last.
    std::optional<Extent> keyExtent() const;

    void setMarks(std::vector<PlotMark> marks);
    bool isEmpty() const { return m_graphs.empty(); }

    void setXAxis(XAxis axis);
    const PlotOptions& options() const { return m_options; }
    void setOptions(const PlotOptions& options);
    void setSmoothing(double to) { setOptions({ to, m_options.isLogY, m_options.isClipped }); }
    void setLogY(bool isLogY) { setOptions({ m_options.smoothing, isLogY, m_options.isClipped }); }
    void setClipped(bool is) { setOptions({ m_options.smoothing, m_options.isLogY, is }); }
    /// The curve of this name is bold and the others are faint; where there is none, all are as
    /// ever.
    void highlight(const QString& curve);

    /// The x range shown unless zoomed, so that plots side by side share it; without one,
    /// keyExtent().
    void setHome(std::optional<Extent> home) { m_range->setHome(home); }
    void zoomX(double lower, double upper) { m_range->zoomX(lower, upper); }
    void resetZoom() { m_range->reset(); }
    bool isZoomed() const { return m_range->isZoomed(); }

    void showCrosshair(double key);
    void hideCrosshair();

    /// Feeds and repaints now instead of with the next frame.
    void refresh();
    /// Paints a picture of `size` at the painter's origin, fed for that width.
    void paint(QCPPainter& painter, QSize size);

Q_SIGNALS:
    void crosshairMoved(double key);
    void crosshairLeft();
    void zoomed(double lower, double upper); ///< by the user
    void zoomReset(); ///< by the user
    void enlargeWanted(bool isToggled); ///< alone on its board, or as before; false = as before
    void curveHovered(const QString& name); ///< in the legend; "" = none any more

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildPlot();
    void connectPlot();
    void schedule();
    void feedFor(int width);
    void onMouseMove(QMouseEvent* event);
    QString curveAt(QPoint position) const; ///< whose name stands there in the legend; "" = none
    QString readOut(double key) const;

    const PlotSpec m_spec;
    QCustomPlot* m_plot;
    PlotRange* m_range = nullptr;
    std::unique_ptr<PlotHeading> m_heading;
    std::unique_ptr<PlotCrosshair> m_crosshair;
    std::unique_ptr<PlotMarks> m_marks;
    std::unique_ptr<PlotOutliers> m_outliers;
    std::vector<std::unique_ptr<CurveGraphs>> m_graphs;
    QTimer m_frame;
    QElapsedTimer m_sinceFrame;

    XAxis m_axis = XAxis::Step;
    PlotOptions m_options;
    QString m_hovered; ///< what curveHovered() told last
};

} // namespace earwright::ui
