#pragma once

#include <QProxyStyle>

namespace earwright::ui {

/// Fusion, but for what it leaves unseen: on a dark palette its frames are darker than the window,
/// so that a box to tick or to write in has no visible edge; and a combo box's text is cut where
/// the box ends.
class Style final : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
        QPainter* painter, const QWidget* widget) const override;
};

} // namespace earwright::ui
