#include "ui/widgets/plot_theme.h"

#include "ui/widgets/qcp.h"

#include <QPalette>

namespace earwright::ui {

namespace {

void themeAxis(QCPAxis& axis, const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    const QPen line(mixed(text, base, 0.45), 1);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(mixed(text, base, 0.8));
    axis.setLabelColor(mixed(text, base, 0.8));
    axis.grid()->setPen(QPen(mixed(text, base, 0.13), 1));
    axis.grid()->setSubGridPen(Qt::NoPen);
    axis.grid()->setZeroLinePen(QPen(mixed(text, base, 0.25), 1));
}

} // namespace

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto part
        = [share](int x, int y) { return static_cast<int>(share * x + (1 - share) * y); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

void applyTheme(QCustomPlot& plot, const QPalette& palette)
{
    plot.setBackground(QBrush(palette.color(QPalette::Base)));
    themeAxis(*plot.xAxis, palette);
    themeAxis(*plot.yAxis, palette);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(palette.color(QPalette::Text));
    for (int i = 0; i < plot.plotLayout()->elementCount(); ++i) {
        if (auto* title = qobject_cast<QCPTextElement*>(plot.plotLayout()->elementAt(i)))
            title->setTextColor(palette.color(QPalette::Text));
    }
}

} // namespace earwright::ui
