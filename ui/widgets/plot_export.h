#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <functional>
#include <vector>

class QCPPainter;

namespace kymo::ui {

class PlotView;

/// "plot,curve,step,wall_time,value" and a line for every logged point, whatever is on screen; NaN
/// and Inf as nan, inf, -inf; numbers read back exactly and do not depend on the locale.
QByteArray plotsToCsv(const std::vector<const PlotView*>& plots);

/// One field of a CSV line, quoted where it must be.
QString csvField(const QString& text);

/// Paints a picture of `size` logical pixels into a file by its suffix: .png (twice as many device
/// pixels), .pdf (one page of that size) or .svg. Error: names path and reason, or the suffixes
/// that work.
Status writePicture(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint);

/// Writes bytes to a file; the error names path and reason.
Status writeBytes(const QString& path, const QByteArray& bytes);

/// Plots tiled in rows of `columns`, `size` each.
void paintTiled(QCPPainter& painter, const std::vector<PlotView*>& plots, int columns, QSize size);

} // namespace kymo::ui
