#include "ui/widgets/info_bar.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace earwright::ui {

InfoBar::InfoBar(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_buttons(new QHBoxLayout)
{
    setObjectName(QStringLiteral("infoBar"));
    m_label->setObjectName(QStringLiteral("infoText"));
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->addWidget(m_label, 1);
    row->addLayout(m_buttons);
    hide();
}

void InfoBar::showMessage(Tone tone, const QString& text, const std::vector<Choice>& choices)
{
    m_tone = tone;
    m_label->setText(text);
    setAccessibleName(text);
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->hide(); // the choice being made may be one of them: it goes later
        item->widget()->deleteLater();
        delete item;
    }
    for (const Choice& choice : choices)
        addButton(choice);
    addButton({ tr("Dismiss"), {} });
    recolor();
    show();
}

QString InfoBar::text() const
{
    return m_label->text();
}

void InfoBar::addButton(const Choice& choice)
{
    auto* button = new QPushButton(choice.text, this);
    connect(button, &QPushButton::clicked, this, [this, run = choice.run] {
        hide();
        if (run)
            run();
    });
    m_buttons->addWidget(button);
}

void InfoBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        recolor();
}

void InfoBar::recolor()
{
    QColor back = toneColor(m_tone, QApplication::palette());
    const QString line = back.name();
    back.setAlphaF(0.14F);
    setStyleSheet(
        QStringLiteral("#infoBar { background: %1; border: none; border-left: 3px solid %2; }")
            .arg(back.name(QColor::HexArgb), line));
}

} // namespace earwright::ui
