#include "ui/widgets/plot_marks.h"

#include "ui/widgets/plot_theme.h"
#include "ui/widgets/qcp.h"

#include <cmath>

namespace earwright::ui {
namespace {

constexpr double kNearPixels = 6;

} // namespace

PlotMarks::PlotMarks(QCustomPlot& plot)
    : m_plot(plot)
{
}

void PlotMarks::setMarks(std::vector<PlotMark> marks)
{
    m_marks = std::move(marks);
    if (m_lines || m_marks.empty())
        return;
    m_lines = m_plot.addGraph(m_plot.xAxis, m_plot.yAxis2);
    m_lines->setLineStyle(QCPGraph::lsImpulse);
    m_lines->setAdaptiveSampling(false);
    m_lines->setAntialiased(false);
}

void PlotMarks::fill(XAxis axis)
{
    if (!m_lines)
        return;
    QVector<QCPGraphData> data;
    for (const PlotMark& mark : m_marks)
        data.append({ keyOf(mark.at, axis, mark.origin), 1.0 }); // yAxis2 goes from 0 to 1
    m_lines->data()->set(data);
    const QPalette palette = m_plot.palette();
    m_lines->setPen(QPen(
        mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.6), 1, Qt::DotLine));
}

QStringList PlotMarks::textsNear(double key, XAxis axis) const
{
    QStringList texts;
    const double at = m_plot.xAxis->coordToPixel(key);
    for (const PlotMark& mark : m_marks) {
        const double pixel = m_plot.xAxis->coordToPixel(keyOf(mark.at, axis, mark.origin));
        if (std::abs(pixel - at) <= kNearPixels)
            texts.append(mark.text);
    }
    return texts;
}

} // namespace earwright::ui
