#include "ui/session/tab_order.h"

#include <algorithm>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>

namespace earwright::ui {
namespace {

QDockWidget* dockOf(QWidget* widget)
{
    while (widget && !qobject_cast<QDockWidget*>(widget))
        widget = widget->parentWidget();
    return qobject_cast<QDockWidget*>(widget);
}

int rankOfStop(const QMainWindow& window, QWidget* widget)
{
    if (window.centralWidget() && window.centralWidget()->isAncestorOf(widget))
        return 0;
    QDockWidget* dock = dockOf(widget);
    const auto area = dock ? window.dockWidgetArea(dock) : Qt::NoDockWidgetArea;
    if (area == Qt::LeftDockWidgetArea)
        return 1;
    if (area == Qt::RightDockWidgetArea)
        return 2;
    return area == Qt::BottomDockWidgetArea ? 3 : 4;
}

/// Qt keeps a dock that is behind another's tab visible, beyond the window's edge.
bool isTabStop(QWidget* widget)
{
    if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() || !widget->isVisible()
        || !widget->isEnabled())
        return false;
    const QDockWidget* dock = dockOf(widget);
    return !dock || !dock->visibleRegion().isEmpty();
}

QList<QWidget*> tabStops(QMainWindow& window)
{
    QList<QWidget*> stops;
    for (QWidget* each = window.nextInFocusChain(); each != &window;
         each = each->nextInFocusChain())
        if (each->window() == &window && isTabStop(each))
            stops << each;
    std::stable_sort(stops.begin(), stops.end(), [&window](QWidget* a, QWidget* b) {
        return rankOfStop(window, a) < rankOfStop(window, b);
    });
    return stops;
}

} // namespace

bool moveFocus(QMainWindow& window, bool forward)
{
    const QList<QWidget*> stops = tabStops(window);
    if (stops.isEmpty())
        return false;
    const qsizetype at = stops.indexOf(QApplication::focusWidget());
    const qsizetype next = forward ? at + 1 : (at < 0 ? stops.size() : at) - 1;
    stops[(next + stops.size()) % stops.size()]->setFocus(
        forward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

} // namespace earwright::ui
