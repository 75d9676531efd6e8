#include "ui/widgets/plot_crosshair.h"

#include "ui/widgets/plot_theme.h"
#include "ui/widgets/qcp.h"

#include <QLabel>

namespace earwright::ui {

PlotCrosshair::PlotCrosshair(QCustomPlot& plot)
    : m_plot(plot)
{
    const QString layer = QStringLiteral("crosshair");
    plot.addLayer(layer);
    plot.layer(layer)->setMode(QCPLayer::lmBuffered);
    m_line = new QCPItemStraightLine(&plot);
    m_line->setLayer(layer);
    m_line->setVisible(false);
    m_line->setSelectable(false);
    m_readOut = new QLabel(&plot);
    m_readOut->setObjectName(QStringLiteral("readOut"));
    m_readOut->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_readOut->setTextFormat(Qt::RichText);
    m_readOut->setFrameShape(QFrame::Box);
    m_readOut->setAutoFillBackground(true);
    m_readOut->setMargin(4);
    m_readOut->hide();
}

void PlotCrosshair::show(double key, const QString& readOut)
{
    const QPalette palette = m_plot.palette();
    m_line->setPen(QPen(mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.55),
        1, Qt::DashLine));
    m_line->point1->setCoords(key, 0.0);
    m_line->point2->setCoords(key, 1.0);
    m_line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_line->setVisible(true);
    m_line->layer()->replot();
    m_readOut->setVisible(!readOut.isEmpty());
    m_readOut->setText(readOut);
    placeReadOut(key);
}

void PlotCrosshair::placeReadOut(double key)
{
    m_readOut->adjustSize();
    const QRect area = m_plot.axisRect()->rect();
    const bool isLineLeft = m_plot.xAxis->coordToPixel(key) < area.center().x();
    const int x = isLineLeft ? area.right() - m_readOut->width() - 6 : area.left() + 6;
    m_readOut->move(x, area.top() + 6);
}

void PlotCrosshair::hide()
{
    m_readOut->hide();
    if (!m_line->visible())
        return;
    m_line->setVisible(false);
    m_line->layer()->replot();
}

bool PlotCrosshair::isVisible() const
{
    return m_line->visible();
}

} // namespace earwright::ui
