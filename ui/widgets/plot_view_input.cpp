#include "ui/widgets/plot_crosshair.h"
#include "ui/widgets/plot_menu.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/qcp.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QWheelEvent>

#include <utility>

namespace earwright::ui {

namespace {

constexpr qsizetype kLongestReadOut = 12; ///< lines

} // namespace

void PlotView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return m_range->panAndZoom(-0.1, 1);
    case Qt::Key_Right:
        return m_range->panAndZoom(0.1, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_range->panAndZoom(0, 0.8);
    case Qt::Key_Minus:
        return m_range->panAndZoom(0, 1.25);
    case Qt::Key_Home:
        Q_EMIT zoomReset();
        return;
    case Qt::Key_Escape:
        Q_EMIT enlargeWanted(false);
        return;
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
    const QString hovered = curveAt(event->pos());
    if (hovered != m_hovered) {
        m_hovered = hovered;
        Q_EMIT curveHovered(hovered);
    }
    if (!m_plot->axisRect()->rect().contains(event->pos()))
        return;
    const double key = m_plot->xAxis->pixelToCoord(event->position().x());
    showCrosshair(key);
    Q_EMIT crosshairMoved(key);
}

QString PlotView::curveAt(QPoint position) const
{
    const QCPLegend* legend = m_plot->legend;
    for (int i = 0; i < legend->elementCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->elementAt(i));
        if (!item || !item->outerRect().contains(position))
            continue;
        const auto* graph = qobject_cast<QCPGraph*>(item->plottable());
        for (const auto& graphs : m_graphs) {
            if (graphs->isShownBy(graph))
                return graphs->curve().name;
        }
    }
    return {};
}

void PlotView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu* menu = makePlotMenu(*this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
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
    for (const QString& mark : m_marks->textsNear(key, m_axis))
        lines.append(QStringLiteral("<i>%1</i>").arg(mark.toHtmlEscaped()));
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
        if (!std::exchange(m_hovered, {}).isEmpty())
            Q_EMIT curveHovered({});
    } else if (event->type() == QEvent::Resize) {
        schedule();
    } else if (event->type() == QEvent::Wheel) {
        const Qt::KeyboardModifiers keys = static_cast<QWheelEvent*>(event)->modifiers();
        if (!(keys & (Qt::ControlModifier | Qt::ShiftModifier))) {
            event->ignore(); // it scrolls the page
            return true;
        }
        m_plot->axisRect()->setRangeZoom(
            keys.testFlag(Qt::ShiftModifier) ? Qt::Vertical : Qt::Horizontal);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace earwright::ui
