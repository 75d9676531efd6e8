#pragma once

#include <QScrollArea>

namespace earwright::ui {

/// What may be taller than its place: scrolls up and down where it is, and is never narrower than
/// its content.
class ColumnScroll final : public QScrollArea {
    Q_OBJECT
public:
    /// Takes the content over.
    explicit ColumnScroll(QWidget* content, QWidget* parent = nullptr);

    /// From now on as tall as its content at the width that it has, and no taller than `most`.
    void fitToContent(int most);
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace earwright::ui
