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

    /// Adds at most about `most` of the values fed last; of a logarithmic axis their log10.
    void sample(std::vector<double>& values, size_t most, bool isLogY) const;
    /// Of the values fed last those within a fence, and how many are beyond it.
    struct Clipped {
        std::optional<Extent> values {};
        size_t above = 0;
        size_t below = 0;
        bool isThinned = false; ///< there may be more than were fed
    };
    /// Marks those beyond it with diamonds on the rails. No fence: all values are within.
    Clipped clip(const std::optional<Extent>& fence, const PlotWindow& window);

    enum class Emphasis { None, Bold, Faint };
    void setEmphasis(Emphasis emphasis) { m_emphasis = emphasis; } ///< from the next fill() on
    /// Whether the legend's line is this curve's.
    bool isShownBy(const QCPGraph* graph) const { return graph == m_raw || graph == m_average; }

    /// The points in the line's graph, value by value as QCustomPlot holds them; Inf, which it
    /// cannot hold, from what was fed.
    std::vector<run::Point> points() const;
    size_t nonFiniteCount() const { return m_derived.nans().size() + m_derived.infs().size(); }
    /// Its line and name, cut to a width in pixels.
    void addToLegend(const QFontMetrics& metrics, int widthPx);

private:
    double smoothingOf(const PlotWindow& window) const
    {
        return m_curve.floor ? 0 : window.smoothing;
    }
    void fillFloor(const PlotWindow& window);
    void fillLine(const Fed& fed, const PlotWindow& window);
    void fillDots(const Fed& fed, const PlotWindow& window);
    void fillRails(const PlotWindow& window);
    void applyPens(bool isSmoothed);

    PlotCurve m_curve;
    CurveDerived m_derived;
    std::vector<run::Point> m_fed;
    bool m_isThinned = false;
    std::optional<Extent> m_values;
    std::vector<size_t> m_breaks; ///< of m_fed: the line is interrupted before them
    Emphasis m_emphasis = Emphasis::None;

    QCustomPlot& m_plot;
    QCPGraph* m_raw;
    QCPGraph* m_average;
    QCPGraph* m_dots;
    QCPGraph* m_nanRail;
    QCPGraph* m_infRail;
    QCPGraph* m_floorRail;
    QCPGraph* m_floor = nullptr; ///< of a band
    QCPGraph* m_clipRail = nullptr; ///< once there is something to clip
};

} // namespace earwright::ui
