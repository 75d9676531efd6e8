#include "ui/widgets/plot_crosshair.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/qcp.h"

#include <QKeyEvent>
#include <QPainter>

namespace earwright::ui {

namespace {

constexpr qsizetype kLongestReadOut = 12; ///< lines

} // namespace

void PlotView::onUserRange(bool isX)
{
    if (m_isSettingRange)
        return;
    (isX ? m_followsX : m_followsY) = false;
    schedule();
    if (isX)
        Q_EMIT zoomed(m_plot->xAxis->range().lower, m_plot->xAxis->range().upper);
}

void PlotView::showAll()
{
    resetZoom();
    Q_EMIT zoomReset();
}

/// Moves the x range by a share of its width, then scales it about its middle.
void PlotView::panAndZoom(double shift, double factor)
{
    const QCPRange range = m_plot->xAxis->range();
    const double middle = range.center() + shift * range.size();
    const double half = factor * range.size() / 2;
    m_plot->xAxis->setRange(middle - half, middle + half);
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return panAndZoom(-0.1, 1);
    case Qt::Key_Right:
        return panAndZoom(0.1, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return panAndZoom(0, 0.8);
    case Qt::Key_Minus:
        return panAndZoom(0, 1.25);
    case Qt::Key_Home:
        return showAll();
    default:
        QWidget::keyPressEvent(event);
    }
}

void PlotView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PlotView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlotView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlotView::onMouseMove(QMouseEvent* event)
{
    if (!m_plot->axisRect()->rect().contains(event->pos()))
        return;
    const double key = m_plot->xAxis->pixelToCoord(event->position().x());
    showCrosshair(key);
    Q_EMIT crosshairMoved(key);
}

void PlotView::onMousePress(QMouseEvent* event)
{
    const bool isRectangle = event->modifiers().testFlag(Qt::ShiftModifier);
    m_plot->setSelectionRectMode(isRectangle ? QCP::srmZoom : QCP::srmNone);
}

void PlotView::onWheel(QWheelEvent* event)
{
    const bool isY = event->modifiers().testFlag(Qt::ControlModifier);
    m_plot->axisRect()->setRangeZoom(isY ? Qt::Vertical : Qt::Horizontal);
}

void PlotView::showCrosshair(double key)
{
    m_crosshair->show(key, readOut(key));
}

void PlotView::hideCrosshair()
{
    m_crosshair->hide();
}

QString PlotView::readOut(double key) const
{
    QStringList lines;
    for (const auto& graphs : m_graphs) {
        const PlotCurve& curve = graphs->curve();
        const auto& points = curve.series->points();
        if (points.empty() || lines.size() >= kLongestReadOut)
            continue;
        const run::Point& point = points[nearestIndex(points, m_axis, curve.origin, key)];
        lines.append(
            QStringLiteral("<span style='color:%1'>■</span> %2 <b>%3</b> · %4")
                .arg(curve.color.name(), labelWithCounts(curve, 0, 0).toHtmlEscaped(),
                    valueText(point.value), keyText(keyOf(point, m_axis, curve.origin), m_axis)));
    }
    return lines.join(QStringLiteral("<br>"));
}

bool PlotView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        hideCrosshair();
        Q_EMIT crosshairLeft();
    } else if (event->type() == QEvent::Resize) {
        schedule();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace earwright::ui
