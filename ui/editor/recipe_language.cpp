#include "ui/editor/recipe_language.h"

#include "core/language/hover.h"
#include "core/language/symbols.h"
#include "ui/editor/checked_text.h"
#include "ui/editor/completer.h"
#include "ui/editor/hover_text.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_file.h"
#include "ui/editor/rename_box.h"
#include "ui/widgets/plain_tip.h"

#include <algorithm>
#include <QMenu>
#include <QWidget>

namespace earwright::ui {
namespace {

/// Where a user may mean a name: what is selected in a line, from its begin, then the caret.
std::vector<recipe::Position> askedPlaces(const RecipeEditor& editor)
{
    std::vector<recipe::Position> places;
    int line = 0;
    int column = 0;
    int endLine = 0;
    int endColumn = 0;
    editor.getSelection(&line, &column, &endLine, &endColumn); // -1 where nothing is selected
    if (line >= 0 && line == endLine)
        for (; column <= endColumn; ++column)
            places.push_back({ line + 1, column + 1 });
    places.push_back(editor.caret());
    return places;
}

/// Of the first place that names a key.
std::vector<recipe::Span> referencesOf(
    const language::Document& document, const std::vector<recipe::Position>& places)
{
    for (const recipe::Position place : places)
        if (auto found = language::references(document, place); !found.empty())
            return found;
    return {};
}

/// The key of this text whose name stands at a place, or that has a path; null where there is none.
template <class Is>
const language::Symbol* symbolWhere(const std::vector<language::Symbol>& symbols, const Is& is)
{
    for (const language::Symbol& symbol : symbols) {
        if (is(symbol))
            return &symbol;
        if (const language::Symbol* found = symbolWhere(symbol.children, is))
            return found;
    }
    return nullptr;
}

/// "enc.dropout" of the key whose name stands there; "" where it stands in another file.
std::string pathOfKey(const language::Document& document, const recipe::Span& name)
{
    const std::vector<language::Symbol> symbols = language::outline(document);
    const language::Symbol* found = symbolWhere(symbols, [&](const language::Symbol& symbol) {
        return symbol.nameSpan.file == name.file && symbol.nameSpan.begin == name.begin;
    });
    return found ? found->path : "";
}

/// The places that name a key; none where the text has it no more.
std::vector<recipe::Span> referencesOfKey(
    const language::Document& document, const std::string& path)
{
    const std::vector<language::Symbol> symbols = language::outline(document);
    const language::Symbol* found
        = symbolWhere(symbols, [&](const language::Symbol& symbol) { return symbol.path == path; });
    return found ? language::references(document, found->nameSpan.begin)
                 : std::vector<recipe::Span>();
}

} // namespace

RecipeLanguage::RecipeLanguage(const Parts& parts, QWidget* page)
    : QObject(page)
    , m_page(page)
    , m_editor(parts.editor)
    , m_text(parts.text)
    , m_completer(parts.completer)
    , m_file(parts.file)
{
    connect(m_editor, &RecipeEditor::explanationWanted, this, &RecipeLanguage::explain);
    connect(m_completer, &Completer::nothingFound, this,
        [this] { say(tr("Nothing is known that may stand here.")); });
    connect(m_text, &CheckedText::checked, this, &RecipeLanguage::refreshUsages);
}

void RecipeLanguage::complete()
{
    // The list itself needs no parsed text: what was known before will do.
    m_completer->complete(true);
}

void RecipeLanguage::explainAtCaret()
{
    explain(m_editor->caret());
}

void RecipeLanguage::explain(recipe::Position place)
{
    m_text->query(
        [place](const language::Document& document) { return language::hover(document, place); },
        [this, place](const std::optional<language::Hover>& hover) {
            const QString text = hoverText(m_editor->problemsAt(place), hover, m_page->palette());
            m_editor->showTip(text, hover ? hover->span.begin : place);
        });
}

void RecipeLanguage::goToDefinition()
{
    m_text->query(
        [places = askedPlaces(*m_editor)](
            const language::Document& document) -> std::optional<recipe::Span> {
            for (const recipe::Position place : places)
                if (const auto found = language::definition(document, place))
                    return found;
            return std::nullopt;
        },
        [this](const std::optional<recipe::Span>& place) {
            place ? goTo(*place) : say(tr("No key is named here."));
        });
}

void RecipeLanguage::goTo(const recipe::Span& place)
{
    const QString file = QString::fromStdString(place.file);
    if (file.isEmpty() || file == m_file->path())
        m_editor->goTo(place.begin);
    else
        Q_EMIT openWanted(file, place.begin);
}

void RecipeLanguage::findUsages()
{
    m_text->query(
        [places = askedPlaces(*m_editor)](const language::Document& document) {
            Listed listed { .places = referencesOf(document, places) };
            if (!listed.places.empty())
                listed.key = pathOfKey(document, listed.places.front());
            return listed;
        },
        [this](const Listed& listed) { showUsages(listed); });
}

void RecipeLanguage::showUsages(const Listed& listed)
{
    if (listed.places.empty())
        return say(tr("No key is named here."));
    const recipe::Span& first = listed.places.front();
    m_listed = { .key = listed.key, .name = m_editor->textIn(first.begin, first.end) };
    Q_EMIT usagesFound(m_listed.name, usagesOf(listed.places));
}

/// What is listed follows the text, also where an edit is undone.
void RecipeLanguage::refreshUsages()
{
    if (m_listed.key.empty())
        return;
    m_text->query(
        [key = m_listed.key](const language::Document& document) {
            return Listed { key, {}, referencesOfKey(document, key) };
        },
        [this](const Listed& listed) {
            if (listed.key == m_listed.key)
                Q_EMIT usagesChanged(m_listed.name, usagesOf(listed.places));
        });
}

void RecipeLanguage::forgetUsages()
{
    m_listed = {};
}

std::vector<Usage> RecipeLanguage::usagesOf(const std::vector<recipe::Span>& places) const
{
    std::vector<Usage> usages;
    for (const recipe::Span& place : places) {
        const QString file = QString::fromStdString(place.file);
        const bool isHere = file.isEmpty() || file == m_file->path();
        usages.push_back({ place, isHere ? m_editor->text(place.begin.line - 1) : QString() });
        if (isHere)
            usages.back().span.file = m_file->path().toStdString();
    }
    return usages;
}

void RecipeLanguage::renameAtCaret()
{
    m_text->withDocument([this](const language::DocumentPtr& document) {
        const std::vector<recipe::Position> asked = askedPlaces(*m_editor);
        const auto ask = [document, asked] { return referencesOf(*document, asked); };
        whenDone(QtConcurrent::run(ask), this,
            [this, document, asked](const std::vector<recipe::Span>& places) {
                const auto isAsked = [&asked](const recipe::Span& name) {
                    return std::any_of(asked.begin(), asked.end(), [&name](recipe::Position place) {
                        return name.begin <= place && place <= name.end;
                    });
                };
                const auto name = std::find_if(places.begin(), places.end(), isAsked);
                name != places.end() ? showRenameBox(document, *name)
                                     : say(tr("No key is named here."));
            });
    });
}

void RecipeLanguage::showRenameBox(const language::DocumentPtr& document, const recipe::Span& name)
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

void RecipeLanguage::fixAtCaret()
{
    const recipe::Position caret = m_editor->caret();
    const int length = static_cast<int>(m_editor->text(caret.line - 1).size());
    const std::string file = m_file->path().toStdString();
    const recipe::Span line { file, { caret.line, 1 }, { caret.line, length + 1 } };
    m_text->query(
        [caret, line](const language::Document& document) {
            const auto here = language::fixesAt(document, { line.file, caret, caret });
            return here.empty() ? language::fixesAt(document, line) : here;
        },
        [this](const std::vector<recipe::Fix>& fixes) { chooseFix(fixes); });
}

void RecipeLanguage::chooseFix(const std::vector<recipe::Fix>& fixes)
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

void RecipeLanguage::say(const QString& text)
{
    m_editor->showTip(plainTip(text), m_editor->caret());
}

} // namespace earwright::ui
