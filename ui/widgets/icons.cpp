#include "ui/widgets/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QStyle>
#include <QSvgRenderer>

namespace earwright::ui {
namespace {

/// Its pixmaps are what it paints.
class PaintedIconEngine : public QIconEngine {
public:
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({ 0, 0 }, size), mode, state);
        return pixmap;
    }
};

/// Draws an SVG with `currentColor` set to the palette's colour at the time of painting.
class PaletteSvgEngine final : public PaintedIconEngine {
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

    QIconEngine* clone() const override { return new PaletteSvgEngine(m_svg); }

private:
    QByteArray m_svg;
};

/// The desktop's icon; on a selected row in the colour of the text there: themes leave it dark.
class ThemeIconEngine final : public PaintedIconEngine {
public:
    explicit ThemeIconEngine(const QString& name)
        : m_icon(QIcon::fromTheme(name))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        if (mode != QIcon::Selected)
            return m_icon.paint(painter, rect, Qt::AlignCenter, mode, state);
        QPixmap mask = m_icon.pixmap(
            rect.size(), painter->device()->devicePixelRatioF(), QIcon::Normal, state);
        QPainter tint(&mask);
        tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
        tint.fillRect(mask.rect(), QApplication::palette().color(QPalette::HighlightedText));
        tint.end();
        painter->drawPixmap(QStyle::alignedRect(painter->layoutDirection(), Qt::AlignCenter,
                                mask.deviceIndependentSize().toSize(), rect),
            mask);
    }

    QIconEngine* clone() const override { return new ThemeIconEngine(*this); }

private:
    QIcon m_icon;
};

} // namespace

QIcon ownIcon(const QString& name)
{
    QFile file(QStringLiteral(":/earwright/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new PaletteSvgEngine(file.readAll()));
}

QIcon icon(const QString& name)
{
    return QIcon::hasThemeIcon(name) ? QIcon(new ThemeIconEngine(name)) : ownIcon(name);
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

} // namespace earwright::ui
