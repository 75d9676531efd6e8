#include "core/language/form.h"
#include "core/language/symbols.h"
#include "core/recipe/node.h"
#include "ui/editor/form_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page_query.h"

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

void RecipePage::connectForm()
{
    connect(m_form, &FormPanel::edited, this, &RecipePage::setValue);
    connect(m_form, &FormPanel::referenceActivated, this, &RecipePage::followReference);
    connect(m_form, &FormPanel::currentChanged, this, &RecipePage::showKey);
    connect(this, &RecipePage::checked, this, &RecipePage::refreshForm);
    m_form->hide();
}

void RecipePage::setFormShown(bool isShown)
{
    if (isShown == m_form->isVisibleTo(this))
        return;
    m_form->setVisible(isShown);
    refreshForm();
    isShown ? m_form->takeFocus() : m_editor->setFocus();
}

void RecipePage::refreshForm()
{
    if (m_form->isVisibleTo(this))
        query(&language::formOf,
            [this](const std::vector<language::FormSection>& form) { m_form->setSections(form); });
}

void RecipePage::setValue(const QString& path, const QString& text)
{
    change(
        [path, text](const language::Document& document) {
            return language::setValue(document, path.toStdString(), text.toStdString());
        },
        [this, path](const QString& why) { m_form->showError(path, why); });
}

void RecipePage::changeSettings(const QStringList& settings)
{
    change([settings](const language::Document& document) { return editsOf(document, settings); },
        [this](const QString& why) { showMessage(why); });
}

void RecipePage::change(
    std::function<Edits(const language::Document&)> ask, std::function<void(const QString&)> refuse)
{
    ++m_numChanges;
    query(std::move(ask), [this, refuse = std::move(refuse)](const Edits& edits) {
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

void RecipePage::afterChanges(std::function<void(bool areMade)> next)
{
    if (m_numChanges == 0)
        m_wasRefused = false;
    takeOpenEdit();
    if (m_numChanges > 0)
        m_afterChanges.push_back(std::move(next));
    else
        next(!m_wasRefused);
}

void RecipePage::takeOpenEdit() const
{
    m_form->takeOpenEdit();
}

void RecipePage::followReference(const QString& path)
{
    query(
        [path](
            const language::Document& document) { return targetOf(document, path.toStdString()); },
        [this](const std::optional<recipe::Span>& place) {
            if (place)
                goTo(*place);
        });
}

void RecipePage::showKey(const QString& path)
{
    const language::Symbol* symbol
        = m_check ? findSymbol(*m_check->symbols, path.toStdString()) : nullptr;
    if (symbol && symbol->nameSpan.begin.line > 0)
        m_editor->reveal(symbol->nameSpan.begin);
}

} // namespace earwright::ui
