#pragma once

#include "ui/widgets/plot_curve.h"

#include <optional>

class QCPGraph;
class QCustomPlot;
class QFontMetrics;

namespace earwright::ui {

/// What part of the curves is on screen and how.
struct PlotWindow {
    XAxis axis = XAxis::Step;
    double lower = 0;
    double upper = 1;
    int width = 1; ///< pixels
    double smoothing = 0; ///< see CurveDerived
    bool isLogY = false;
};

struct Extent {
    double lower = 0;
    double upper = 0;
};
std::optional<Extent> united(std::optional<Extent> a, std::optional<Extent> b);

/// The QCustomPlot graphs of one curve: the line as logged, its average, dots where points are few
/// or stand alone between gaps, and markers for what no value axis can show, on a rail along the
/// edge (yAxis2 of the plot, 0..1): a cross for NaN, a triangle for Inf, at the lower edge a bar
/// for what a logarithmic axis cannot show. GUI thread only.
class CurveGraphs final {
public:
    explicit CurveGraphs(QCustomPlot& plot);
    ~CurveGraphs();
    CurveGraphs(const CurveGraphs&) = delete;
    CurveGraphs& operator=(const CurveGraphs&) = delete;

    void setCurve(PlotCurve curve);
    void setAntialiased(bool isAntialiased);
    const PlotCurve& curve() const { return m_curve; }

    /// Feeds the graphs for one window in O(width), after what is new in the series has been looked
    /// at once.
    void fill(const PlotWindow& window);
    /// Least and greatest finite value fed last; positive ones only under a logarithmic axis.
    std::optional<Extent> valueExtent() const { return m_values; }
    /// Keys of the first and last point; no points, no extent.
    std::optional<Extent> keyExtent(XAxis axis) const;

    /// The points in the line's graph, value by value as QCustomPlot holds them; Inf, which it
    /// cannot hold, from what was fed.
    std::vector<run::Point> points() const;
    size_t nonFiniteCount() const { return m_derived.nans().size() + m_derived.infs().size(); }
    /// Its line and name, cut to a width in pixels.
    void addToLegend(const QFontMetrics& metrics, int widthPx);

private:
    void fillLine(const Fed& fed, const PlotWindow& window);
    void fillDots(const Fed& fed, const PlotWindow& window);
    void fillRails(const PlotWindow& window);
    void applyPens(bool isSmoothed);

    PlotCurve m_curve;
    CurveDerived m_derived;
    std::vector<run::Point> m_fed;
    bool m_isThinned = false;
    std::optional<Extent> m_values;

    QCustomPlot& m_plot;
    QCPGraph* m_raw;
    QCPGraph* m_average;
    QCPGraph* m_dots;
    QCPGraph* m_nanRail;
    QCPGraph* m_infRail;
    QCPGraph* m_floorRail;
};

} // namespace earwright::ui
