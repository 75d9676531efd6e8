#pragma once

#include <QLabel>
#include <QStackedWidget>

namespace earwright::ui {

/// A view, and while it is empty a line in its place: what would be here, or what brings it.
class HintedView final : public QStackedWidget {
public:
    HintedView(const QString& hint, QWidget* view, QWidget* parent)
        : QStackedWidget(parent)
        , m_hint(new QLabel(hint, this))
    {
        m_hint->setAlignment(Qt::AlignCenter);
        m_hint->setWordWrap(true);
        m_hint->setMargin(16);
        m_hint->setForegroundRole(QPalette::PlaceholderText);
        addWidget(m_hint);
        addWidget(view);
    }

    void setHint(const QString& hint) { m_hint->setText(hint); }
    void setEmpty(bool isEmpty) { setCurrentIndex(isEmpty ? 0 : 1); }

private:
    QLabel* m_hint;
};

} // namespace earwright::ui
