#pragma once

#include <QComboBox>
#include <QSpinBox>
#include <QWheelEvent>

namespace earwright::ui {

/// A control whose value the wheel changes only after it was clicked or tabbed to: scrolling past
/// it changes nothing.
template <class Control>
class WheelShy final : public Control {
public:
    explicit WheelShy(QWidget* parent = nullptr)
        : Control(parent)
    {
        this->setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (this->hasFocus())
            Control::wheelEvent(event);
        else
            event->ignore();
    }
};

using ComboBox = WheelShy<QComboBox>;
using SpinBox = WheelShy<QSpinBox>;

} // namespace earwright::ui
