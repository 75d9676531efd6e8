#include "ui/runs/run_delegate.h"

#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/widgets/icons.h"

#include <QApplication>
#include <QPainter>

namespace kymo::ui {
namespace {

constexpr int kPadding = 6;
constexpr int kDot = 12;
constexpr int kBar = 3;

QFont detailFont(const QFont& font)
{
    QFont smaller = font;
    smaller.setPointSizeF(font.pointSizeF() * 0.9);
    return smaller;
}

void drawBar(QPainter* painter, const QRect& rect, double progress, const QColor& color,
    const QPalette& palette)
{
    painter->setPen(Qt::NoPen);
    painter->setBrush(palette.color(QPalette::Midlight));
    painter->drawRoundedRect(rect, 1.5, 1.5);
    painter->setBrush(color);
    QRectF filled(rect);
    filled.setWidth(std::max(3.0, rect.width() * progress));
    painter->drawRoundedRect(filled, 1.5, 1.5);
}

void drawText(QPainter* painter, const QRect& rect, const QString& text, Qt::TextElideMode mode)
{
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(text, mode, rect.width()));
}

} // namespace

RunDelegate::RunDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    const int lines = option.fontMetrics.height() + QFontMetrics(detailFont(option.font)).height();
    return { 160, lines + 2 * kPadding + kBar + 4 };
}

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QPalette& palette = option.palette;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    option.widget->style()->drawPrimitive(
        QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect inner = option.rect.adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const int textLeft = inner.left() + kDot + kPadding;
    const QRect nameRect(
        textLeft, inner.top(), inner.right() - textLeft, option.fontMetrics.height());
    painter->drawPixmap(inner.left(), nameRect.center().y() - kDot / 2 + 1,
        colorDot(index.data(RunListModel::ColorRole).value<QColor>(), kDot,
            painter->device()->devicePixelRatioF()));
    const QString time = index.data(RunListModel::TimeRole).toString();
    const int timeWidth = option.fontMetrics.horizontalAdvance(time) + kPadding;
    painter->setPen(
        palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
    painter->drawText(nameRect, Qt::AlignRight | Qt::AlignVCenter, time);
    painter->setPen(palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    drawText(painter, nameRect.adjusted(0, 0, -timeWidth, 0),
        index.data(RunListModel::TitleRole).toString(), Qt::ElideMiddle);

    const auto state = static_cast<run::State>(index.data(RunListModel::StateRole).toInt());
    const QColor tone = stateColor(state, palette);
    painter->setFont(detailFont(option.font));
    const QRect detailRect(
        textLeft, nameRect.bottom() + 1, nameRect.width(), painter->fontMetrics().height());
    painter->setPen(selected ? palette.color(QPalette::HighlightedText) : tone);
    drawText(painter, detailRect, index.data(RunListModel::DetailRole).toString(), Qt::ElideRight);
    const double progress = index.data(RunListModel::ProgressRole).toDouble();
    if (progress >= 0 && state != run::State::Done)
        drawBar(painter, { textLeft, detailRect.bottom() + 4, nameRect.width(), kBar }, progress,
            tone, palette);
    painter->restore();
}

} // namespace kymo::ui
