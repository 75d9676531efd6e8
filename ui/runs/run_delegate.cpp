#include "ui/runs/run_delegate.h"

#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/runs/run_titles.h"
#include "ui/widgets/icons.h"

#include <QApplication>
#include <QPainter>

namespace earwright::ui {
namespace {

constexpr int kRunPadding = 6;
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

/// Whole, at the right end. Returns what it leaves of the width.
int drawRight(QPainter* painter, const QRect& rect, const QString& text, const QColor& color)
{
    painter->setPen(color);
    painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, text);
    const int taken = painter->fontMetrics().horizontalAdvance(text);
    return text.isEmpty() ? rect.width() : rect.width() - taken - kRunPadding;
}

void drawLeft(QPainter* painter, const QRect& rect, const QString& text, const QColor& color)
{
    painter->setPen(color);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, text);
}

/// Around a dot whose colour may be nearly the one behind it.
void drawRing(QPainter* painter, const QRect& rect, const QColor& color)
{
    painter->setPen(color);
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(QRectF(rect).adjusted(1, 1, -1, -1));
}

/// Where the keyboard is, and of selected runs the shown one; Fusion draws nothing of the kind
/// after a click.
void drawFocus(QPainter* painter, const QRect& rect, const QColor& color)
{
    painter->setPen(color);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(rect).adjusted(1.5, 1.5, -1.5, -1.5));
}

} // namespace

RunDelegate::RunDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    const int lines = option.fontMetrics.height() + QFontMetrics(detailFont(option.font)).height();
    return { 160, lines + 2 * kRunPadding + kBar + 4 };
}

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QPalette& palette = option.palette;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const auto shown = [&](const QColor& color) {
        return selected ? palette.color(QPalette::HighlightedText) : color;
    };
    const auto text = [&](RunListModel::Role role) { return index.data(role).toString(); };
    option.widget->style()->drawPrimitive(
        QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_HasFocus)
        || (selected && text(RunListModel::PathRole) == m_shownRun))
        drawFocus(painter, option.rect, shown(palette.color(QPalette::Text)));
    const QRect inner = option.rect.adjusted(kRunPadding, kRunPadding, -kRunPadding, -kRunPadding);
    const int textLeft = inner.left() + kDot + kRunPadding;
    const QRect nameRect(
        textLeft, inner.top(), inner.right() - textLeft, option.fontMetrics.height());
    const QPoint dot(inner.left(), nameRect.center().y() - kDot / 2 + 1);
    painter->drawPixmap(dot,
        colorDot(index.data(RunListModel::ColorRole).value<QColor>(), kDot,
            painter->device()->devicePixelRatioF()));
    if (selected)
        drawRing(painter, { dot, QSize(kDot, kDot) }, palette.color(QPalette::HighlightedText));
    painter->setFont(option.font);
    const int nameRoom = drawRight(painter, nameRect, text(RunListModel::TimeRole),
        shown(palette.color(QPalette::PlaceholderText)));
    drawLeft(painter, nameRect,
        cutTitle(text(RunListModel::TitleRole),
            index.data(RunListModel::SharedRole).value<qsizetype>(), painter->fontMetrics(),
            nameRoom),
        shown(palette.color(QPalette::Text)));

    const auto state = static_cast<run::State>(index.data(RunListModel::StateRole).toInt());
    const QColor tone = stateColor(state, palette);
    painter->setFont(detailFont(option.font));
    const QRect detailRect(
        textLeft, nameRect.bottom() + 1, nameRect.width(), painter->fontMetrics().height());
    const int detailRoom
        = drawRight(painter, detailRect, text(RunListModel::FigureRole), shown(tone));
    drawLeft(painter, detailRect,
        painter->fontMetrics().elidedText(
            text(RunListModel::DetailRole), Qt::ElideRight, detailRoom),
        shown(tone));
    const double progress = index.data(RunListModel::ProgressRole).toDouble();
    if (progress >= 0 && state != run::State::Done)
        drawBar(painter, { textLeft, detailRect.bottom() + 4, nameRect.width(), kBar }, progress,
            tone, palette);
    painter->restore();
}

} // namespace earwright::ui
