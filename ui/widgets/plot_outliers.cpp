#include "ui/widgets/plot_outliers.h"

#include "ui/widgets/qcp.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace earwright::ui {
namespace {

constexpr double kFlattened = 1000; ///< spreads in the whole range
constexpr double kFence = 100; ///< spreads from the median
constexpr size_t kMostValues = 8192; ///< that are looked at, of all curves
constexpr size_t kLeastValues = 16; ///< of each

double quantile(std::vector<double>& values, double share)
{
    const auto at = values.begin()
        + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

QString noteText(const char* exact, const char* atLeast, bool isThinned, size_t count)
{
    return QCoreApplication::translate("PlotView", isThinned ? atLeast : exact).arg(count);
}

} // namespace

std::optional<Extent> fenceOf(std::vector<double> values)
{
    if (values.size() < 4)
        return std::nullopt;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const Extent all { *least, *greatest };
    const double median = quantile(values, 0.5);
    const double below = median - quantile(values, 0.25);
    const double above = quantile(values, 0.75) - median;
    // The narrower side: on the other one a third of the curves may have diverged.
    const double narrow = std::min(below, above);
    const double spread = 2 * (narrow > 0 ? narrow : std::max(below, above));
    const bool isFlattened = spread > 0 && all.upper - all.lower > kFlattened * spread;
    if (!isFlattened)
        return std::nullopt;
    const Extent fence { median - kFence * spread, median + kFence * spread };
    const auto isBeyond
        = [&fence](double value) { return value < fence.lower || value > fence.upper; };
    const auto beyond = static_cast<size_t>(std::count_if(values.begin(), values.end(), isBeyond));
    return 3 * beyond <= values.size() ? std::optional(fence) : std::nullopt;
}

PlotOutliers::PlotOutliers(QCustomPlot& plot)
    : m_plot(plot)
{
}

std::optional<Extent> PlotOutliers::show(
    const Graphs& graphs, const PlotWindow& window, bool isClipped)
{
    std::vector<double> values;
    if (isClipped) {
        const size_t most
            = std::max(kLeastValues, kMostValues / std::max<size_t>(1, graphs.size()));
        for (const auto& each : graphs)
            each->sample(values, most, window.isLogY);
    }
    std::optional<Extent> fence = fenceOf(std::move(values));
    if (fence && window.isLogY)
        fence = Extent { std::pow(10, fence->lower), std::pow(10, fence->upper) };
    std::optional<Extent> shown;
    CurveGraphs::Clipped all;
    for (const auto& each : graphs) {
        const CurveGraphs::Clipped clipped = each->clip(fence, window);
        shown = united(shown, clipped.values);
        all.above += clipped.above;
        all.below += clipped.below;
        all.isThinned = all.isThinned || clipped.isThinned;
    }
    tell(all.above, all.below, all.isThinned);
    return shown;
}

void PlotOutliers::tell(size_t above, size_t below, bool isThinned)
{
    QStringList parts;
    if (above > 0)
        parts << noteText(QT_TRANSLATE_NOOP("PlotView", "%1 above"),
            QT_TRANSLATE_NOOP("PlotView", "%1 or more above"), isThinned, above);
    if (below > 0)
        parts << noteText(QT_TRANSLATE_NOOP("PlotView", "%1 below"),
            QT_TRANSLATE_NOOP("PlotView", "%1 or more below"), isThinned, below);
    if (!m_note && parts.isEmpty())
        return;
    if (!m_note) {
        m_note = new QCPItemText(&m_plot);
        m_note->setSelectable(false);
        m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
        m_note->position->setCoords(0.99, 0.06);
        m_note->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    }
    m_note->setVisible(!parts.isEmpty());
    m_note->setColor(m_plot.palette().color(QPalette::Text));
    m_note->setText(QCoreApplication::translate("PlotView", "points out of range: %1")
                        .arg(parts.join(QStringLiteral(", "))));
}

} // namespace earwright::ui
