#pragma once

#include <QIcon>
#include <QString>

namespace earwright::ui {

/// The desktop's icon of that name, else our own drawing in the palette's text colour, which
/// follows a change of theme.
QIcon icon(const QString& name);
/// Our own drawing (resources/icons) in one colour; null where there is none of that name.
QIcon ownIcon(const QString& name);
/// A filled circle, the mark of a run's curves.
QPixmap colorDot(const QColor& color, int sizePx, qreal devicePixelRatio);

} // namespace earwright::ui
