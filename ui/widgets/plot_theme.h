#pragma once

#include <QColor>

class QCustomPlot;
class QPalette;

namespace earwright::ui {

/// `share` of `a`, the rest of `b`.
QColor mixed(const QColor& a, const QColor& b, double share);

/// Colours background, axes, grid, title and legend from a palette. Curves keep their own colours.
void applyTheme(QCustomPlot& plot, const QPalette& palette);

} // namespace earwright::ui
