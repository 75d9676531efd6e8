#include "ui/editor/recipe_form.h"

#include "core/language/form.h"
#include "core/language/symbols.h"
#include "core/recipe/node.h"
#include "ui/editor/checked_text.h"
#include "ui/editor/recipe_editor.h"

#include <QWidget>
#include <utility>

namespace earwright::ui {
namespace {

const language::Symbol* findSymbol(
    const std::vector<language::Symbol>& symbols, const std::string& path)
{
    for (const language::Symbol& symbol : symbols) {
        if (symbol.path == path)
            return &symbol;
        if (path.starts_with(symbol.path + '.'))
            if (const language::Symbol* below = findSymbol(symbol.children, path))
                return below;
    }
    return nullptr;
}

/// Where the reference that a setting holds leads.
std::optional<recipe::Span> targetOf(const language::Document& document, const std::string& path)
{
    const recipe::NodePtr value
        = document.tree ? recipe::findPath(*document.tree, path) : recipe::NodePtr();
    if (!value)
        return std::nullopt;
    recipe::Position at = value->span.begin;
    for (; at.column < value->span.end.column; ++at.column)
        if (const auto place = language::definition(document, at);
            place && place->begin.line != at.line)
            return place;
    return std::nullopt;
}

Result<std::vector<recipe::Edit>> editsOf(
    const language::Document& document, const QStringList& settings)
{
    std::vector<recipe::Edit> all;
    for (const QString& setting : settings) {
        const qsizetype sign = setting.indexOf(QLatin1Char('='));
        const auto edits = language::setValue(
            document, setting.left(sign).toStdString(), setting.mid(sign + 1).toStdString());
        if (!edits)
            return edits.error();
        all.insert(all.end(), edits->begin(), edits->end());
    }
    return all;
}

} // namespace

RecipeForm::RecipeForm(FormPanel* form, RecipeEditor* editor, CheckedText* text, QWidget* page)
    : QObject(page)
    , m_page(page)
    , m_form(form)
    , m_editor(editor)
    , m_text(text)
{
    connect(m_form, &FormPanel::edited, this, &RecipeForm::setValue);
    connect(m_form, &FormPanel::referenceActivated, this, &RecipeForm::followReference);
    connect(m_form, &FormPanel::currentChanged, this, &RecipeForm::showKey);
    connect(m_text, &CheckedText::checked, this, &RecipeForm::refresh);
    m_form->hide();
}

void RecipeForm::setShown(bool isShown)
{
    if (isShown == m_form->isVisibleTo(m_page))
        return;
    m_form->setVisible(isShown);
    refresh();
    isShown ? m_form->takeFocus() : m_editor->setFocus();
}

void RecipeForm::refresh()
{
    if (m_form->isVisibleTo(m_page))
        m_text->query(&language::formOf,
            [this](const std::vector<language::FormSection>& form) { m_form->setSections(form); });
}

void RecipeForm::setValue(const QString& path, const QString& text)
{
    change(
        [path, text](const language::Document& document) {
            return language::setValue(document, path.toStdString(), text.toStdString());
        },
        [this, path](const QString& why) { m_form->showError(path, why); });
}

void RecipeForm::changeSettings(const QStringList& settings)
{
    change([settings](const language::Document& document) { return editsOf(document, settings); },
        [this](const QString& why) { Q_EMIT refused(why); });
}

void RecipeForm::change(
    std::function<Edits(const language::Document&)> ask, std::function<void(const QString&)> refuse)
{
    ++m_numChanges;
    m_text->query(std::move(ask), [this, refuse = std::move(refuse)](const Edits& edits) {
        --m_numChanges;
        if (edits)
            m_editor->applyEdits(*edits);
        else
            refuse(QString::fromStdString(edits.error().message));
        m_wasRefused = m_wasRefused || !edits;
        if (m_numChanges > 0)
            return;
        const bool areMade = !m_wasRefused;
        for (const auto& next : std::exchange(m_afterChanges, {}))
            next(areMade);
    });
}

void RecipeForm::afterChanges(std::function<void(bool areMade)> next)
{
    if (m_numChanges == 0)
        m_wasRefused = false;
    takeOpenEdit();
    if (m_numChanges > 0)
        m_afterChanges.push_back(std::move(next));
    else
        next(!m_wasRefused);
}

void RecipeForm::followReference(const QString& path)
{
    m_text->query(
        [path](
            const language::Document& document) { return targetOf(document, path.toStdString()); },
        [this](const std::optional<recipe::Span>& place) {
            if (place)
                Q_EMIT referenceFollowed(*place);
        });
}

void RecipeForm::showKey(const QString& path)
{
    const CheckResultPtr& check = m_text->latest();
    const language::Symbol* symbol
        = check ? findSymbol(*check->symbols, path.toStdString()) : nullptr;
    if (symbol && symbol->nameSpan.begin.line > 0)
        m_editor->reveal(symbol->nameSpan.begin);
}

} // namespace earwright::ui
