#include "ui/widgets/plot_export.h"

#include "core/base/text.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/qcp.h"

#include <QCoreApplication>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>

namespace kymo::ui {

namespace {

constexpr int kPngScale = 2;
constexpr int kPixelsPerInch = 96;

Error cannotWrite(const QString& path, const QString& reason)
{
    return { QCoreApplication::translate(
        "PlotExport", "cannot write '%1': %2; choose another folder or free some space")
                 .arg(path, reason)
                 .toStdString() };
}

QByteArray number(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return QByteArray::fromStdString(formatDouble(value));
}

void appendCurve(QByteArray& csv, const QByteArray& prefix, const run::Series& series)
{
    for (const run::Point& point : series.points()) {
        csv += prefix + QByteArray::number(static_cast<qlonglong>(point.step)) + ','
            + number(point.wallTime) + ',' + number(point.value) + '\n';
    }
}

Status writePng(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QImage image(size * kPngScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPngScale);
    image.fill(Qt::white);
    {
        QCPPainter painter(&image);
        paint(painter);
    }
    if (!image.save(path, "PNG"))
        return cannotWrite(path,
            QCoreApplication::translate("PlotExport", "the folder is missing, full or read-only"));
    return Done {};
}

Status paintVector(
    QPaintDevice& device, const QString& path, const std::function<void(QCPPainter&)>& paint)
{
    QCPPainter painter;
    if (!painter.begin(&device))
        return cannotWrite(path,
            QCoreApplication::translate("PlotExport", "the folder is missing, full or read-only"));
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter);
    return Done {};
}

Status writePdf(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QPdfWriter pdf(path);
    pdf.setResolution(kPixelsPerInch);
    pdf.setPageSize(QPageSize(QSizeF(size) / kPixelsPerInch, QPageSize::Inch));
    pdf.setPageMargins(QMarginsF());
    return paintVector(pdf, path, paint);
}

Status writeSvg(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setResolution(kPixelsPerInch);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    return paintVector(svg, path, paint);
}

} // namespace

QString csvField(const QString& text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))
        && !text.contains(QLatin1Char('\n')))
        return text;
    return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\""))
        + QLatin1Char('"');
}

QByteArray plotsToCsv(const std::vector<const PlotView*>& plots)
{
    QByteArray csv = "plot,curve,step,wall_time,value\n";
    for (const PlotView* plot : plots) {
        for (const PlotCurve& curve : plot->curves()) {
            const QString prefix = csvField(plot->spec().id) + QLatin1Char(',')
                + csvField(curve.name) + QLatin1Char(',');
            appendCurve(csv, prefix.toUtf8(), *curve.series);
        }
    }
    return csv;
}

Status writePicture(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        return writePng(path, size, paint);
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return writePdf(path, size, paint);
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return writeSvg(path, size, paint);
    return Error { QCoreApplication::translate(
        "PlotExport", "cannot write '%1': a picture's name ends in .png, .pdf or .svg")
                       .arg(path)
                       .toStdString() };
}

Status writeBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return Done {};
}

void paintTiled(QCPPainter& painter, const std::vector<PlotView*>& plots, int columns, QSize size)
{
    for (size_t i = 0; i < plots.size(); ++i) {
        const int index = static_cast<int>(i);
        painter.save();
        painter.translate(index % columns * size.width(), index / columns * size.height());
        plots[i]->paint(painter, size);
        painter.restore();
    }
}

} // namespace kymo::ui
