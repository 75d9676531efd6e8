#include "ui/widgets/plot_export.h"

#include "core/base/sheet_text.h"
#include "core/base/text.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/qcp.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>

namespace earwright::ui {

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

Status writeBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return Done {};
}

Export pngExport(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QImage image(size * kPngScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPngScale);
    image.fill(Qt::white);
    {
        QCPPainter painter(&image);
        paint(painter);
    }
    return [path, image] {
        QBuffer png;
        image.save(&png, "PNG");
        return writeBytes(path, png.data());
    };
}

void paintVector(QPaintDevice& device, const std::function<void(QCPPainter&)>& paint)
{
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter);
}

QByteArray pdfOf(QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&bytes);
        pdf.setResolution(kPixelsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(size) / kPixelsPerInch, QPageSize::Inch));
        pdf.setPageMargins(QMarginsF());
        paintVector(pdf, paint);
    }
    return bytes.data();
}

QByteArray svgOf(QSize size, const std::function<void(QCPPainter&)>& paint)
{
    QBuffer bytes;
    QSvgGenerator svg;
    svg.setOutputDevice(&bytes);
    svg.setResolution(kPixelsPerInch);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    paintVector(svg, paint);
    return bytes.data();
}

QByteArray toCsv(const CurvesByPlot& plots)
{
    QByteArray csv = "plot,curve,step,wall_time,value\n";
    for (const auto& [id, curves] : plots) {
        for (const PlotCurve& curve : curves) {
            const QString prefix
                = csvField(id) + QLatin1Char(',') + csvField(curve.name) + QLatin1Char(',');
            appendCurve(csv, prefix.toUtf8(), *curve.series);
        }
    }
    return csv;
}

} // namespace

QString csvField(const QString& text)
{
    return QString::fromStdString(sheetField(text.toStdString()));
}

Export csvExport(const QString& path, const std::vector<PlotView*>& plots)
{
    CurvesByPlot shown;
    for (const PlotView* plot : plots)
        shown.emplace_back(plot->spec().id, plot->curves());
    return csvExport(path, std::move(shown));
}

Export csvExport(const QString& path, CurvesByPlot plots)
{
    return [path, plots = std::move(plots)] { return writeBytes(path, toCsv(plots)); };
}

Export bytesExport(const QString& path, const QByteArray& bytes)
{
    return [path, bytes] { return writeBytes(path, bytes); };
}

Export pictureExport(const QString& path, QSize size, const std::function<void(QCPPainter&)>& paint)
{
    if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        return pngExport(path, size, paint);
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return bytesExport(path, pdfOf(size, paint));
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return bytesExport(path, svgOf(size, paint));
    return [path] {
        return Status(Error { QCoreApplication::translate(
            "PlotExport", "cannot write '%1': a picture's name ends in .png, .pdf or .svg")
                                  .arg(path)
                                  .toStdString() });
    };
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

} // namespace earwright::ui
