#include "ui/runs/queue_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 4s;

QString unservedText()
{
    return QueueBar::tr("No process starts the waiting runs.");
}

} // namespace

QueueBar::QueueBar(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("queueBar"));
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    auto* goOn = new QPushButton(tr("&Go On"), this);
    goOn->setObjectName(QStringLiteral("queueGoOn"));
    goOn->setToolTip(tr("Start the waiting runs as their devices become free"));
    goOn->setAccessibleDescription(goOn->toolTip());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 4);
    row->addWidget(m_label, 1);
    row->addWidget(goOn);
    connect(goOn, &QPushButton::clicked, this, &QueueBar::goOnRequested);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { showText(unservedText()); });
    hide();
}

void QueueBar::setHindrance(const QueueHindrance& hindrance)
{
    if (hindrance.isUnserved && !hindrance.isHeld && hindrance.error.isEmpty()) {
        if (m_label->text() == unservedText())
            return;
        showText({}); // of what hindered them before
        if (!m_patience.isActive())
            m_patience.start(kPatience);
        return;
    }
    m_patience.stop();
    showText(hindrance.isHeld ? tr("The queue is held.") : hindrance.error);
}

void QueueBar::showText(const QString& text)
{
    m_label->setText(text);
    setVisible(!text.isEmpty());
}

} // namespace earwright::ui
