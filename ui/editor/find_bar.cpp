#include "ui/editor/find_bar.h"

#include "ui/widgets/qsci.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace kymo::ui {

FindBar::FindBar(QsciScintilla* editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_text(new QLineEdit(this))
    , m_result(new QLabel(this))
{
    m_text->setPlaceholderText(tr("Find in the recipe"));
    m_text->setAccessibleName(tr("Find in the recipe"));
    m_text->setClearButtonEnabled(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_text, 1);
    row->addWidget(m_result);
    connect(m_text, &QLineEdit::textEdited, this, [this] {
        int line = 0;
        int index = 0;
        int endLine = 0;
        int endIndex = 0;
        m_editor->getSelection(&line, &index, &endLine, &endIndex);
        find(true, std::max(line, 0), std::max(index, 0));
    });
    hide();
}

void FindBar::open()
{
    if (m_editor->hasSelectedText())
        m_text->setText(m_editor->selectedText());
    show();
    m_text->setFocus();
    m_text->selectAll();
}

void FindBar::findNext(bool forward)
{
    find(forward, -1, -1);
}

void FindBar::find(bool forward, int line, int index)
{
    if (!forward && m_editor->hasSelectedText()) {
        // A backward search starts behind the last find: step in front of it.
        int endLine = 0;
        int endIndex = 0;
        m_editor->getSelection(&line, &index, &endLine, &endIndex);
    }
    const bool found
        = m_editor->findFirst(m_text->text(), false, false, false, true, forward, line, index);
    m_result->setText(found || m_text->text().isEmpty() ? QString() : tr("Not found"));
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        hide();
        m_editor->setFocus();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        findNext(!event->modifiers().testFlag(Qt::ShiftModifier));
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace kymo::ui
