#pragma once

#include "ui/widgets/plot_graphs.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCPLayoutGrid;
class QCPPainter;
class QCPRange;
class QCPTextElement;
class QCustomPlot;
class QMouseEvent;
class QWheelEvent;

namespace earwright::ui {

class PlotCrosshair;

struct PlotSpec {
    QString id; ///< the widget's object name
    QString title;
    QString unit; ///< label of the y axis
    bool isHiddenWhenEmpty = false;
};

/// Curves over one x axis. Whatever their length, a frame costs O(width): extremes are always
/// drawn, and zooming in reaches every point. NaN and Inf are drawn on a rail at the top and
/// counted in the legend. Repaints at most 30 times a second. Wheel: zoom x (Ctrl: y). Drag: pan.
/// Shift + drag: zoom into a rectangle. Double click: all of it. With the focus: arrows pan,
/// + and - zoom, Home shows all. GUI thread only.
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

    void setXAxis(XAxis axis);
    void setSmoothing(double smoothing);
    void setLogY(bool isLogY);

    /// The x range shown unless zoomed, so that plots side by side share it; without one,
    /// keyExtent().
    void setHome(std::optional<Extent> home);
    void zoomX(double lower, double upper);
    void resetZoom();
    bool isZoomed() const { return !m_followsX || !m_followsY; }

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

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildPlot();
    void buildHeading();
    void connectPlot();
    void schedule();
    void feedFor(int width);
    void fitX();
    void fitY();
    void updateLegend(int width);
    void onUserRange(bool isX);
    void panAndZoom(double shift, double factor);
    void showAll();
    void onMouseMove(QMouseEvent* event);
    void onMousePress(QMouseEvent* event);
    void onWheel(QWheelEvent* event);
    QString readOut(double key) const;

    const PlotSpec m_spec;
    QCustomPlot* m_plot;
    QCPTextElement* m_title = nullptr;
    std::unique_ptr<PlotCrosshair> m_crosshair;
    std::vector<std::unique_ptr<CurveGraphs>> m_graphs;
    QTimer m_frame;
    QElapsedTimer m_sinceFrame;

    XAxis m_axis = XAxis::Step;
    double m_smoothing = 0;
    bool m_isLogY = false;
    std::optional<Extent> m_home;
    bool m_followsX = true;
    bool m_followsY = true;
    bool m_isSettingRange = false;
};

} // namespace earwright::ui
