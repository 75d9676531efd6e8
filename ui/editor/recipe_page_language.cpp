#include "core/language/hover.h"
#include "core/language/symbols.h"
#include "ui/editor/completer.h"
#include "ui/editor/hover_text.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page_query.h"
#include "ui/editor/rename_box.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/when_done.h"

#include <QFileInfo>
#include <QMenu>
#include <QtConcurrentRun>

namespace earwright::ui {

void RecipePage::connectLanguage()
{
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this,
        [this] { Q_EMIT caretMoved(m_editor->caret()); });
    connect(m_editor, &RecipeEditor::explanationWanted, this, &RecipePage::explain);
    connect(m_completer, &Completer::nothingFound, this,
        [this] { say(tr("Nothing is known that may stand here.")); });
}

void RecipePage::complete()
{
    // The list itself needs no parsed text: what was known before will do.
    m_completer->complete(true);
}

void RecipePage::withDocument(std::function<void(const language::DocumentPtr&)> use)
{
    if (m_check && m_checker->isCurrent())
        return use(m_check->document);
    m_awaitingDocument.push_back(std::move(use));
    m_checker->hurry();
}

void RecipePage::explainAtCaret()
{
    explain(m_editor->caret());
}

void RecipePage::explain(recipe::Position place)
{
    query([place](const language::Document& document) { return language::hover(document, place); },
        [this, place](const std::optional<language::Hover>& hover) {
            const QString text = hoverText(m_editor->problemsAt(place), hover, palette());
            m_editor->showTip(text, hover ? hover->span.begin : place);
        });
}

void RecipePage::goToDefinition()
{
    query([at = m_editor->caret()](
              const language::Document& document) { return language::definition(document, at); },
        [this](const std::optional<recipe::Span>& place) {
            place ? goTo(*place) : say(tr("No key is named here."));
        });
}

void RecipePage::goTo(const recipe::Span& place)
{
    const QString file = QString::fromStdString(place.file);
    if (file.isEmpty() || file == path())
        m_editor->goTo(place.begin);
    else
        Q_EMIT openWanted(file, place.begin);
}

void RecipePage::findUsages()
{
    query([at = m_editor->caret()](
              const language::Document& document) { return language::references(document, at); },
        [this](const std::vector<recipe::Span>& places) { showUsages(places); });
}

void RecipePage::showUsages(const std::vector<recipe::Span>& places)
{
    if (places.empty())
        return say(tr("No key is named here."));
    Q_EMIT usagesFound(
        m_editor->textIn(places.front().begin, places.front().end), usagesOf(places));
}

std::vector<Usage> RecipePage::usagesOf(const std::vector<recipe::Span>& places) const
{
    std::vector<Usage> usages;
    for (const recipe::Span& place : places) {
        const QString file = QString::fromStdString(place.file);
        const bool isHere = file.isEmpty() || file == path();
        usages.push_back({ place, isHere ? m_editor->text(place.begin.line - 1) : QString() });
        if (isHere)
            usages.back().span.file = path().toStdString();
    }
    return usages;
}

void RecipePage::renameAtCaret()
{
    withDocument([this](const language::DocumentPtr& document) {
        const auto ask
            = [document, at = m_editor->caret()] { return language::references(*document, at); };
        whenDone(QtConcurrent::run(ask), this,
            [this, document](const std::vector<recipe::Span>& places) {
                const recipe::Position caret = m_editor->caret();
                for (const recipe::Span& place : places)
                    if (place.begin <= caret && caret <= place.end)
                        return showRenameBox(document, place);
                say(tr("No key is named here."));
            });
    });
}

void RecipePage::showRenameBox(const language::DocumentPtr& document, const recipe::Span& name)
{
    auto* box
        = new RenameBox({ document, name.begin, m_editor->textIn(name.begin, name.end) }, m_editor);
    const QRect place = m_editor->placeOnScreen(name.begin);
    box->adjustSize();
    QPoint corner = m_editor->mapFromGlobal(place.bottomLeft());
    if (corner.y() + box->height() > m_editor->height())
        corner.setY(m_editor->mapFromGlobal(place.topLeft()).y() - box->height());
    corner.setX(std::max(0, std::min(corner.x(), m_editor->width() - box->width())));
    box->move(corner);
    box->show();
    box->setFocus();
    connect(box, &RenameBox::renamed, this, [this, document](const auto& edits) {
        // The box has the keyboard, but another program may have changed the file.
        if (m_editor->text().toStdString() == document->request.text)
            m_editor->applyEdits(edits);
    });
}

void RecipePage::fixAtCaret()
{
    const recipe::Position caret = m_editor->caret();
    const int length = static_cast<int>(m_editor->text(caret.line - 1).size());
    const std::string file = path().toStdString();
    const recipe::Span line { file, { caret.line, 1 }, { caret.line, length + 1 } };
    query(
        [caret, line](const language::Document& document) {
            const auto here = language::fixesAt(document, { line.file, caret, caret });
            return here.empty() ? language::fixesAt(document, line) : here;
        },
        [this](const std::vector<recipe::Fix>& fixes) { chooseFix(fixes); });
}

void RecipePage::chooseFix(const std::vector<recipe::Fix>& fixes)
{
    if (fixes.empty())
        return say(tr("Nothing to fix in this line."));
    if (fixes.size() == 1)
        return m_editor->applyFix(fixes.front());
    auto* menu = new QMenu(m_editor);
    menu->setObjectName(QStringLiteral("fixMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const recipe::Fix& fix : fixes)
        menu->addAction(QString::fromStdString(fix.title).replace(u"&"_qs, u"&&"_qs), m_editor,
            [this, fix] { m_editor->applyFix(fix); });
    menu->setActiveAction(menu->actions().constFirst());
    menu->popup(m_editor->placeOnScreen(m_editor->caret()).bottomLeft());
}

void RecipePage::say(const QString& text)
{
    m_editor->showTip(plainTip(text), m_editor->caret());
}

} // namespace earwright::ui
