#pragma once

#include <QLabel>

namespace kymo::ui {

/// One line of text, cut in the middle where it does not fit; all of it in the tool tip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace kymo::ui
