#include "ui/widgets/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

namespace kymo::ui {
namespace {

/// Draws an SVG with `currentColor` set to the palette's colour at the time of painting.
class PaletteSvgEngine final : public QIconEngine {
public:
    explicit PaletteSvgEngine(QByteArray svg)
        : m_svg(std::move(svg))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QApplication::palette();
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto role
            = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
        QByteArray svg = m_svg;
        svg.replace("currentColor", palette.color(group, role).name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({ 0, 0 }, size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new PaletteSvgEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon ownIcon(const QString& name)
{
    QFile file(QStringLiteral(":/kymo/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new PaletteSvgEngine(file.readAll()));
}

QIcon icon(const QString& name)
{
    return QIcon::hasThemeIcon(name) ? QIcon::fromTheme(name) : ownIcon(name);
}

QPixmap colorDot(const QColor& color, int sizePx, qreal devicePixelRatio)
{
    QPixmap pixmap(QSize(sizePx, sizePx) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QRectF(1, 1, sizePx - 2, sizePx - 2));
    return pixmap;
}

} // namespace kymo::ui
