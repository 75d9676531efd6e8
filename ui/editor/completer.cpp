#include "ui/editor/completer.h"

#include "ui/editor/recipe_editor.h"
#include "ui/widgets/when_done.h"

#include <QKeyEvent>
#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

bool isWordLetter(QChar letter)
{
    return letter.isLetterOrNumber() || letter == u'_' || letter == u'.' || letter == u'/';
}

} // namespace

Completer::Completer(RecipeEditor* editor)
    : QObject(editor)
    , m_editor(editor)
    , m_popup(new CompletionPopup(editor))
{
    editor->installEventFilter(this);
    connect(editor, &QsciScintillaBase::SCN_CHARADDED, this, &Completer::onLetter);
    connect(editor, &QsciScintilla::cursorPositionChanged, this, &Completer::onMoved);
    connect(m_popup, &CompletionPopup::chosen, this, &Completer::accept);
}

void Completer::complete(bool asked)
{
    if (!m_document)
        return;
    m_caret = m_editor->caret();
    const auto ask = [text = m_editor->text(), caret = m_caret, document = m_document] {
        Offer offer;
        offer.completions = language::complete(
            text.toStdString(), caret, *document, [&offer](const std::string& folder) {
                offer.folder = folder;
                return offer.entries = language::entriesOf(folder);
            });
        return offer;
    };
    whenDone(
        QtConcurrent::run(ask), this, [this, asked, request = ++m_request](const Offer& offer) {
            if (request == m_request)
                onOffer(offer, asked);
        });
}

void Completer::onOffer(Offer offer, bool asked)
{
    const Completions& completions = offer.completions;
    if (m_editor->caret() != m_caret || !m_editor->hasFocus())
        return m_popup->hide();
    if (asked && completions.empty())
        Q_EMIT nothingFound();
    if (completions.empty() || (!asked && changesNothing(completions)))
        return m_popup->hide();
    const QRect caret = m_editor->placeOnScreen(completions.front().edit.span.begin);
    m_isFresh = true;
    m_folder = std::move(offer.folder);
    m_entries = std::move(offer.entries);
    m_popup->showFor(std::move(offer.completions), caret);
}

bool Completer::changesNothing(const Completions& completions) const
{
    const language::Completion& best = completions.front();
    return QString::fromStdString(best.edit.text)
        == m_editor->textIn(best.edit.span.begin, best.edit.span.end);
}

void Completer::onLetter(int letter)
{
    const QChar typed(static_cast<char16_t>(letter));
    m_isFresh = false;
    const recipe::Position caret = m_editor->caret();
    const bool afterColon
        = typed == u' ' && m_editor->text(caret.line - 1).left(caret.column - 2).endsWith(u':');
    if (isWordLetter(typed) || typed == u'<' || typed == u'!' || typed == u'[' || afterColon)
        complete(false);
    else
        m_popup->hide();
}

void Completer::onMoved()
{
    if (!m_popup->isVisible())
        return;
    // Typing and Backspace move it too: then the list is made anew.
    const recipe::Position caret = m_editor->caret();
    if (caret.line != m_caret.line || std::abs(caret.column - m_caret.column) > 1)
        return m_popup->hide();
    if (caret.column < m_caret.column)
        complete(false);
}

bool Completer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut)
        m_popup->hide();
    if (!m_popup->isVisible())
        return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        // While the list is shown Escape and Enter are its keys, not a shortcut's.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape)
            event->accept();
        return false;
    }
    return event->type() == QEvent::KeyPress && onKey(*static_cast<QKeyEvent*>(event));
}

bool Completer::onKey(QKeyEvent& event)
{
    if (event.modifiers() != Qt::NoModifier && event.modifiers() != Qt::KeypadModifier)
        return false;
    switch (event.key()) {
    case Qt::Key_Escape:
        m_popup->hide();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
        accept();
        return true;
    default:
        return m_popup->walk(event);
    }
}

void Completer::accept()
{
    const language::Completion* chosen = m_popup->current();
    if (!chosen)
        return;
    const std::optional<language::Completion> entry
        = m_isFresh ? std::optional(*chosen) : madeAnew(*chosen);
    m_popup->hide();
    ++m_request; // whatever is under way comes too late
    if (entry)
        m_editor->applyEditAtCaret(entry->edit);
}

std::optional<language::Completion> Completer::madeAnew(const language::Completion& chosen) const
{
    // The key that takes an entry does not wait for a disk.
    const auto known = [this](const std::string& folder) {
        return folder == m_folder ? m_entries : std::vector<std::string>();
    };
    const Completions now
        = language::complete(m_editor->text().toStdString(), m_editor->caret(), *m_document, known);
    for (const language::Completion& entry : now)
        if (entry.label == chosen.label)
            return entry;
    return now.empty() ? std::nullopt : std::optional(now.front());
}

} // namespace earwright::ui
