#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QCPPainter;

namespace earwright::ui {

class PlotView;
struct PlotCurve;

/// What is left of an export once the GUI thread has done its part: makes the file, in any thread.
/// The error names path and reason.
using Export = std::function<Status()>;

/// "plot,curve,step,wall_time,value" and a line for every logged point, whatever is on screen; NaN
/// and Inf as nan, inf, -inf; numbers read back exactly and do not depend on the locale.
[[nodiscard]] Export csvExport(const QString& path, const std::vector<PlotView*>& plots);
/// The same of curves that a plot may draw as a band: those of each plot by its id.
using CurvesByPlot = std::vector<std::pair<QString, std::vector<PlotCurve>>>;
[[nodiscard]] Export csvExport(const QString& path, CurvesByPlot plots);

/// A text as a field of a CSV line: quoted where it must be, no formula of a spreadsheet.
QString csvField(const QString& text);

/// Paints a picture of `size` logical pixels for a file by its suffix: .png (twice as many device
/// pixels), .pdf (one page of that size) or .svg. The error may also name the suffixes that work.
[[nodiscard]] Export pictureExport(
    const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint);

[[nodiscard]] Export bytesExport(const QString& path, const QByteArray& bytes);

/// Plots tiled in rows of `columns`, `size` each.
void paintTiled(QCPPainter& painter, const std::vector<PlotView*>& plots, int columns, QSize size);

} // namespace earwright::ui
