#include "ui/widgets/plot_range.h"

#include "ui/widgets/qcp.h"

#include <cmath>
#include <QScopedValueRollback>

namespace earwright::ui {
namespace {

/// Of axes that nothing is to be seen on; a logarithmic one shows no 0.
constexpr Extent kNothing { 0, 1 };
constexpr Extent kNothingLog { 0.1, 1 };

Extent padded(Extent extent, bool isLogY)
{
    if (isLogY) {
        const double factor
            = extent.upper > extent.lower ? std::pow(extent.upper / extent.lower, 0.06) : 2.0;
        return { extent.lower / factor, extent.upper * factor };
    }
    const double span = extent.upper - extent.lower;
    const double flat = extent.upper == 0 ? 1 : std::abs(extent.upper) * 0.1;
    const double padding = span > 0 ? 0.06 * span : flat;
    return { extent.lower - padding, extent.upper + padding };
}

} // namespace

PlotRange::PlotRange(QCustomPlot& plot)
    : QObject(&plot)
    , m_plot(plot)
{
    const auto ranged = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
    connect(plot.xAxis, ranged, this, [this] { onRanged(true); });
    connect(plot.yAxis, ranged, this, [this] { onRanged(false); });
}

void PlotRange::setHome(std::optional<Extent> home)
{
    m_home = home;
    Q_EMIT changed();
}

void PlotRange::zoomX(double lower, double upper)
{
    m_followsX = false;
    {
        const QScopedValueRollback setting(m_isSetting, true);
        m_plot.xAxis->setRange(lower, upper);
    }
    Q_EMIT changed();
}

void PlotRange::panAndZoom(double shift, double factor)
{
    const QCPRange range = m_plot.xAxis->range();
    const double middle = range.center() + shift * range.size();
    const double half = factor * range.size() / 2;
    m_plot.xAxis->setRange(middle - half, middle + half);
}

void PlotRange::followY()
{
    m_followsY = true;
    Q_EMIT changed();
}

void PlotRange::reset()
{
    m_followsX = true;
    m_followsY = true;
    Q_EMIT changed();
}

void PlotRange::fitX(std::optional<Extent> keys)
{
    if (!m_followsX)
        return;
    const QScopedValueRollback setting(m_isSetting, true);
    const Extent home = (m_home ? m_home : keys).value_or(kNothing);
    const double span = home.upper - home.lower;
    const double padding = span > 0 ? 0.015 * span : 0.5;
    m_plot.xAxis->setRange(home.lower - padding, home.upper + padding);
}

void PlotRange::fitY(std::optional<Extent> values, bool isLogY)
{
    if (!m_followsY)
        return;
    const QScopedValueRollback setting(m_isSetting, true);
    const Extent nothing = isLogY ? kNothingLog : kNothing;
    const Extent range = values ? padded(*values, isLogY) : nothing;
    m_plot.yAxis->setRange(range.lower, range.upper);
}

void PlotRange::onRanged(bool isX)
{
    if (m_isSetting)
        return;
    (isX ? m_followsX : m_followsY) = false;
    Q_EMIT changed();
    if (isX)
        Q_EMIT zoomed(m_plot.xAxis->range().lower, m_plot.xAxis->range().upper);
}

} // namespace earwright::ui
