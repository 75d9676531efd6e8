#pragma once

#include "ui/widgets/plot_axis.h"

#include <QColor>
#include <QString>

#include <memory>
#include <vector>

namespace earwright::ui {

/// One curve as a page hands it to a PlotView.
struct PlotCurve {
    QString name; ///< unique in its plot
    QString label; ///< for the legend; "" = the name
    std::shared_ptr<const run::Series> series;
    CurveOrigin origin;
    QColor color;
    Qt::PenStyle dash = Qt::SolidLine;
    /// The lower edge of a band whose upper one is `series`, point by point: what lies between is
    /// filled, and smoothing leaves both edges alone. null = a line.
    std::shared_ptr<const run::Series> floor {};
    /// While these last nothing trains, so that no line crosses them where x is time.
    std::vector<TimeSpan> gaps {};
};

/// What follows from a curve's points and is too long to compute for each frame. A longer series
/// that begins with the points known already costs only what is new.
class CurveDerived final {
public:
    /// `smoothing`: weight of the past in the exponential moving average, 0 (none) to below 1. The
    /// average is corrected for its start as TensorBoard's is, and passes over points that are not
    /// finite.
    void update(const run::Series& series, double smoothing);

    const run::Series& smoothed() const { return m_smoothed; } ///< empty where smoothing is 0
    const std::vector<size_t>& nans() const { return m_nans; } ///< their indices
    const std::vector<size_t>& infs() const { return m_infs; }

private:
    void restart(double smoothing);
    void add(const run::Point& point, size_t index);
    bool continues(const run::Series& series) const;

    double m_smoothing = 0;
    size_t m_count = 0;
    run::Point m_last;
    double m_average = 0;
    double m_weight = 0; ///< 1 - smoothing^(finite points so far)
    run::Series m_smoothed;
    std::vector<size_t> m_nans;
    std::vector<size_t> m_infs;
};

/// Whether a line from one point to the next would mostly cross gaps: more than a tenth of its
/// time.
bool crossesGap(const std::vector<TimeSpan>& gaps, double fromTime, double toTime);

/// Of sorted `indices`, at most one for each of `columns` equal parts of [lower, upper]: a marker a
/// pixel is all one can see. O(columns log n).
std::vector<double> markerKeys(const std::vector<size_t>& indices, const PlotCurve& curve,
    XAxis axis, double lower, double upper, int columns);

/// "train · 3 NaN, 1 Inf".
QString labelWithCounts(const PlotCurve& curve, size_t nans, size_t infs);

} // namespace earwright::ui
