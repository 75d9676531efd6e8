#include "ui/widgets/plot_menu.h"

#include "ui/widgets/plot_view.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include <cmath>

namespace earwright::ui {
namespace {

constexpr int kMostDoublings = 8; ///< of an average's memory: 256 points

QString translatedItem(const char* text)
{
    return QCoreApplication::translate("PlotView", text);
}

void addSwitch(QMenu& menu, const QString& text, PlotView& view, bool PlotOptions::*option)
{
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(view.options().*option);
    QObject::connect(action, &QAction::toggled, &view, [&view, option](bool isOn) {
        PlotOptions options = view.options();
        options.*option = isOn;
        view.setOptions(options);
    });
}

void addSmoothing(QMenu& menu, PlotView& view)
{
    QMenu* list = menu.addMenu(translatedItem(QT_TRANSLATE_NOOP("PlotView", "&Smoothing")));
    auto* group = new QActionGroup(list);
    for (int doublings = 0; doublings <= kMostDoublings; ++doublings) {
        const double smoothing = 1.0 - std::pow(2.0, -doublings);
        QAction* action = list->addAction(doublings == 0
                ? translatedItem(QT_TRANSLATE_NOOP("PlotView", "Off"))
                : translatedItem(QT_TRANSLATE_NOOP("PlotView", "%1 points")).arg(1 << doublings));
        action->setCheckable(true);
        action->setChecked(std::abs(view.options().smoothing - smoothing) < 1e-6);
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, &view,
            [&view, smoothing] { view.setSmoothing(smoothing); });
    }
}

} // namespace

QMenu* makePlotMenu(PlotView& view)
{
    auto* menu = new QMenu(&view);
    menu->addAction(
        translatedItem(QT_TRANSLATE_NOOP("PlotView", "Reset &Zoom")), &view, &PlotView::zoomReset);
    menu->addAction(translatedItem(QT_TRANSLATE_NOOP("PlotView", "&Enlarge, or Back")), &view,
        [&view] { Q_EMIT view.enlargeWanted(true); });
    menu->addSeparator();
    addSmoothing(*menu, view);
    addSwitch(*menu, translatedItem(QT_TRANSLATE_NOOP("PlotView", "&Logarithmic Y")), view,
        &PlotOptions::isLogY);
    addSwitch(*menu, translatedItem(QT_TRANSLATE_NOOP("PlotView", "Clip &Outliers")), view,
        &PlotOptions::isClipped);
    return menu;
}

} // namespace earwright::ui
