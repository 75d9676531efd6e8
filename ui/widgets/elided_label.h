#pragma once

#include <QLabel>

namespace earwright::ui {

/// One line of text, cut in the middle where it does not fit; then all of it in the tool tip, where
/// it has no tool tip of its own.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString shownText() const;
};

} // namespace earwright::ui
