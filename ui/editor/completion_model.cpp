#include "ui/editor/completion_model.h"

#include "ui/widgets/theme.h"

#include <array>
#include <QApplication>
#include <QPainter>

namespace earwright::ui {
namespace {

constexpr int kCompletionPadding = 4; ///< pixels around a row's parts

Tone toneOf(language::CompletionKind kind)
{
    using enum language::CompletionKind;
    switch (kind) {
    case Key:
    case Argument:
        return Tone::Info;
    case Class:
        return Tone::Accent;
    case Reference:
        return Tone::Good;
    case Value:
        return Tone::Warning;
    case File:
        break;
    }
    return Tone::Muted;
}

void drawMark(QPainter& painter, const QRect& square, language::CompletionKind kind)
{
    const QColor color = toneColor(toneOf(kind), QApplication::palette());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(square, 3, 3);
    QFont font = painter.font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 0.8);
    painter.setFont(font);
    painter.setPen(QApplication::palette().color(QPalette::Base));
    painter.drawText(square, Qt::AlignCenter, completionKindName(kind).left(1));
}

} // namespace

void CompletionModel::setCompletions(std::vector<language::Completion> completions)
{
    beginResetModel();
    m_completions = std::move(completions);
    endResetModel();
}

int CompletionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_completions.size());
}

QVariant CompletionModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const language::Completion& completion = at(index.row());
    if (role == Qt::DisplayRole)
        return QString::fromStdString(completion.label);
    if (role == Qt::AccessibleTextRole)
        return QStringLiteral("%1, %2, %3")
            .arg(QString::fromStdString(completion.label), completionKindName(completion.kind),
                QString::fromStdString(completion.detail));
    return {};
}

QString completionKindName(language::CompletionKind kind)
{
    using enum language::CompletionKind;
    const std::array names { CompletionModel::tr("Key"), CompletionModel::tr("Class"),
        CompletionModel::tr("Argument"), CompletionModel::tr("Reference"),
        CompletionModel::tr("Value"), CompletionModel::tr("File") };
    return names[static_cast<size_t>(kind)];
}

void CompletionDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto& completion = static_cast<const CompletionModel*>(index.model())->at(index.row());
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    if (isSelected)
        painter->fillRect(option.rect, option.palette.highlight());
    painter->setFont(option.font);
    QRect row = option.rect.adjusted(kCompletionPadding, 0, -kCompletionPadding, 0);
    const int side = option.fontMetrics.height();
    painter->save();
    drawMark(*painter, { row.left(), row.center().y() - side / 2, side, side }, completion.kind);
    painter->restore();
    row.setLeft(row.left() + side + 2 * kCompletionPadding);
    const QString label = QString::fromStdString(completion.label);
    painter->setPen(option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
        option.fontMetrics.elidedText(label, Qt::ElideMiddle, row.width()));
    row.setLeft(row.left() + option.fontMetrics.horizontalAdvance(label) + 3 * kCompletionPadding);
    if (!isSelected)
        painter->setPen(toneColor(Tone::Muted, option.palette));
    if (row.width() > 0)
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight,
            option.fontMetrics.elidedText(
                QString::fromStdString(completion.detail), Qt::ElideRight, row.width()));
    painter->restore();
}

QSize CompletionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { 0, option.fontMetrics.height() + 2 * kCompletionPadding };
}

} // namespace earwright::ui
