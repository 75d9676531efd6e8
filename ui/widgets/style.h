#pragma once

#include <QProxyStyle>

namespace earwright::ui {

/// Fusion, but for what it leaves unseen: on a dark palette its frames are darker than the window,
/// so that a box to tick or to write in has no visible edge; and a combo box's text is cut where
/// the box ends. And but for labels, those of message boxes too, whose text Qt would take for HTML
/// where it looks like it: it may be a file's, so it is shown letter for letter. One that is HTML
/// of ours has the format Qt::RichText. A tool tip's own label is left to plainTip.
class Style final : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
        QPainter* painter, const QWidget* widget) const override;
};

} // namespace earwright::ui
