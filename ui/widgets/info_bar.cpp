#include "ui/widgets/info_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace earwright::ui {
namespace {

constexpr int kLineWidth = 3; ///< of the tone's whole colour, at the left

} // namespace

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
    row->setContentsMargins(kLineWidth + 12, 6, 8, 6);
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
    update();
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

/// Not a style sheet: what lies in one keeps its colours when the theme changes.
void InfoBar::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    QColor tone = toneColor(m_tone, palette());
    painter.fillRect(0, 0, kLineWidth, height(), tone);
    tone.setAlphaF(0.14F);
    painter.fillRect(rect(), tone);
}

} // namespace earwright::ui
