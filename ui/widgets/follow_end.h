#pragma once

#include <QScrollBar>

#include <memory>

namespace earwright::ui {

/// Keeps a view's end in sight while it is: rows come before they are laid out, and the view may
/// not be in front, so the bar's range tells.
inline void followEnd(QScrollBar* bar)
{
    const auto isAtEnd = std::make_shared<bool>(true);
    QObject::connect(bar, &QScrollBar::valueChanged, bar,
        [bar, isAtEnd](int value) { *isAtEnd = value >= bar->maximum(); });
    QObject::connect(bar, &QScrollBar::rangeChanged, bar, [bar, isAtEnd](int, int maximum) {
        if (*isAtEnd)
            bar->setValue(maximum);
    });
}

} // namespace earwright::ui
