#pragma once

#include "ui/widgets/plot_axis.h"

#include <QStringList>

#include <vector>

class QCPGraph;
class QCustomPlot;

namespace earwright::ui {

/// A moment that a plot's curves tell nothing of: a rate that was set, a pause.
struct PlotMark {
    run::Point at; ///< its value says nothing
    CurveOrigin origin;
    QString text; ///< in words, plain
};

/// Dotted lines from the bottom of a plot to its top. GUI thread only.
class PlotMarks final {
public:
    explicit PlotMarks(QCustomPlot& plot);

    void setMarks(std::vector<PlotMark> marks);
    void fill(XAxis axis);
    /// What is marked within a few pixels of a key.
    QStringList textsNear(double key, XAxis axis) const;

private:
    QCustomPlot& m_plot;
    std::vector<PlotMark> m_marks;
    QCPGraph* m_lines = nullptr; ///< once there is a mark
};

} // namespace earwright::ui
