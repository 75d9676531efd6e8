#pragma once

#include "ui/widgets/plot_axis.h"

#include <QString>

class QCPAxis;

namespace earwright::ui {

/// "step", "time since start (h:mm:ss)", "wall time", "epoch".
QString axisLabel(XAxis axis);
/// Ticks and label of an x axis.
void applyXAxis(QCPAxis& axis, XAxis kind);
/// As many ticks, five at most, as have labels that stand apart on an axis of a length in pixels.
/// For its range, which must be set.
void fitTicks(QCPAxis& axis, int length);
/// Linear or logarithmic scale with fitting ticks.
void applyYScale(QCPAxis& axis, bool isLog);
/// A key in words: "step 1200", "0:12:05", "2026-03-01 14:05:09", "epoch 2.5".
QString keyText(double key, XAxis axis);
/// Five significant digits; "NaN", "Inf", "-Inf".
QString valueText(double value);

} // namespace earwright::ui
