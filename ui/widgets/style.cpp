#include "ui/widgets/style.h"

#include "ui/widgets/theme.h"

#include <QLabel>
#include <QPainter>
#include <QStyleOption>

namespace earwright::ui {

namespace {

constexpr double kFrameShare = 0.42; ///< of the text in a frame's colour: contrast 3 to the window
constexpr int kTextMargin = 1; ///< Fusion's, at both sides of a combo box's text
constexpr int kIconGap = 4; ///< Fusion's, between a combo box's icon and its text

QColor frameColor(const QPalette& palette)
{
    const QColor back = palette.color(QPalette::Window);
    const QColor text = palette.color(QPalette::WindowText);
    const auto mix
        = [](int from, int to) { return from + static_cast<int>(kFrameShare * (to - from)); };
    return { mix(back.red(), text.red()), mix(back.green(), text.green()),
        mix(back.blue(), text.blue()) };
}

/// Over the frame that Fusion drew, but for the one that shows the focus.
void drawFrame(const QStyleOption& option, QPainter& painter, double radius)
{
    if (!isDark(option.palette) || option.state.testFlag(QStyle::State_HasFocus))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(frameColor(option.palette));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void Style::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    auto* label = qobject_cast<QLabel*>(widget);
    if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox)
        drawFrame(*option, *painter, 0);
    else if (element == PE_FrameLineEdit)
        drawFrame(*option, *painter, 2);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const
{
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (element != CE_ComboBoxLabel || !box || box->editable)
        return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionComboBox shown = *box;
    const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + kIconGap;
    const int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width()
        - 2 * kTextMargin - icon;
    shown.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideMiddle, room);
    QProxyStyle::drawControl(element, &shown, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
    QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox)
        drawFrame(*option, *painter, 2);
}

} // namespace earwright::ui
