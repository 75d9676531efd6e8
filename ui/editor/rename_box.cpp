#include "ui/editor/rename_box.h"

#include "ui/widgets/counted.h"
#include "ui/widgets/text_tone.h"
#include "ui/widgets/when_done.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QtConcurrentRun>
#include <QVBoxLayout>

namespace earwright::ui {

RenameBox::RenameBox(Target target, QWidget* parent)
    : QFrame(parent)
    , m_target(std::move(target))
    , m_name(new QLineEdit(m_target.name, this))
    , m_message(new QLabel(this))
{
    setObjectName(QStringLiteral("renameBox"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_name->setObjectName(QStringLiteral("renameText"));
    m_name->setAccessibleName(tr("New name"));
    m_name->setMinimumWidth(320);
    m_message->setObjectName(QStringLiteral("renameMessage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_name);
    column->addWidget(m_message);
    connect(m_name, &QLineEdit::textChanged, this, &RenameBox::preview);
    preview();
    m_name->selectAll();
    setFocusProxy(m_name);
}

QString RenameBox::message() const
{
    return m_message->text();
}

void RenameBox::preview()
{
    m_edits.clear();
    m_isConfirmed = false;
    ++m_generation;
    m_isPending = m_name->text() != m_target.name;
    if (!m_isPending) {
        setTextTone(*m_message, {});
        m_message->setText(tr("Type the new name of '%1'").arg(m_target.name));
        return;
    }
    const auto ask = [target = m_target, name = m_name->text().toStdString()] {
        return language::rename(*target.document, target.at, name);
    };
    whenDone(QtConcurrent::run(ask), this, [this, generation = m_generation](const Edits& edits) {
        if (generation == m_generation)
            onPreview(edits);
    });
}

void RenameBox::onPreview(const Edits& edits)
{
    m_isPending = false;
    setTextTone(*m_message, edits ? std::nullopt : std::optional(Tone::Bad));
    m_message->setText(edits ? counted(static_cast<qsizetype>(edits->size()),
                           tr("%1 place changes"), tr("%1 places change"))
                             : QString::fromStdString(edits.error().message));
    adjustSize();
    if (edits)
        m_edits = *edits;
    if (m_isConfirmed)
        confirm();
}

void RenameBox::confirm()
{
    m_isConfirmed = m_isPending;
    const bool isRefused = m_edits.empty() && m_name->text() != m_target.name;
    if (m_isPending || isRefused)
        return; // the answer is awaited, or the message says why not
    if (!m_edits.empty())
        Q_EMIT renamed(m_edits);
    finish();
}

void RenameBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        finish();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        confirm();
    else
        QFrame::keyPressEvent(event);
}

void RenameBox::finish()
{
    hide();
    if (parentWidget())
        parentWidget()->setFocus();
    deleteLater();
}

} // namespace earwright::ui
