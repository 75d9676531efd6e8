#include "ui/widgets/empty_state.h"

#include "ui/widgets/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

constexpr int kHintWidth = 460;

class IconLabel final : public QWidget {
public:
    IconLabel(QIcon drawing, QWidget* parent)
        : QWidget(parent)
        , m_drawing(std::move(drawing))
    {
        setFixedSize(64, 64);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setOpacity(0.45);
        m_drawing.paint(&painter, rect());
    }

private:
    QIcon m_drawing;
};

QLabel* makeTitle(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.5);
    label->setFont(font);
    label->setAlignment(Qt::AlignHCenter);
    return label;
}

/// Wraps where there is no room for its width, in the middle of the page.
QLayout* makeHint(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setAlignment(Qt::AlignHCenter);
    label->setWordWrap(true);
    label->setMaximumWidth(kHintWidth);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(label, kHintWidth); // before the space beside it
    row->addStretch();
    return row;
}

QPushButton* makeButton(QAction* action, QWidget* parent)
{
    auto* button = new QPushButton(action->icon(), action->iconText(), parent);
    button->setEnabled(action->isEnabled());
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::changed, button, [button, action] {
        button->setIcon(action->icon());
        button->setEnabled(action->isEnabled());
    });
    return button;
}

} // namespace

EmptyState::EmptyState(const Content& content, QWidget* parent)
    : QWidget(parent)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(this);
    column->addStretch(2);
    column->addWidget(new IconLabel(ownIcon(content.iconName), this), 0, Qt::AlignHCenter);
    column->addSpacing(8);
    column->addWidget(makeTitle(content.title, this));
    column->addLayout(makeHint(content.hint, this));
    column->addSpacing(12);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    for (QAction* action : content.actions)
        buttons->addWidget(makeButton(action, this));
    buttons->addStretch();
    column->addLayout(buttons);
    column->addStretch(3);
}

} // namespace earwright::ui
