#include "ui/editor/recipe_page.h"

#include "ui/editor/completer.h"
#include "ui/editor/find_bar.h"
#include "ui/editor/recipe_recovery.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

namespace earwright::ui {

RecipePage::RecipePage(const QString& path, QWidget* parent)
    : QWidget(parent)
    , m_file(new RecipeFile(path, this))
    , m_problems(new DiagnosticsModel(this))
    , m_bar(new InfoBar(this))
    , m_recoveryBar(new InfoBar(this))
    , m_editor(new RecipeEditor(this))
    , m_findBar(new FindBar(m_editor, this))
    , m_text(new CheckedText(m_editor, m_file, this))
    , m_form(new RecipeForm(new FormPanel(this), m_editor, m_text, this))
    , m_completer(new Completer(m_editor))
    , m_swap(new SwapFile(
          path, [this] { return m_editor->text(); }, this))
    , m_saving(new RecipeSaving({ m_file, m_swap, m_editor, m_text, m_form, m_bar }, this))
    , m_language(new RecipeLanguage({ m_editor, m_text, m_completer, m_file }, this))
{
    new RecipeRecovery({ m_file, m_swap, m_editor, m_saving, m_recoveryBar }, this);
    build();
    connectParts();
    connectTold();
    m_file->load();
}

void RecipePage::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_recoveryBar);
    column->addWidget(m_bar);
    auto* views = new QSplitter(this);
    views->setChildrenCollapsible(false);
    views->addWidget(m_editor);
    views->addWidget(m_form->panel());
    column->addWidget(views, 1);
    column->addWidget(m_findBar);
    setFocusProxy(m_editor);
}

void RecipePage::connectParts()
{
    connect(m_file, &RecipeFile::pathChanged, this, [this] {
        m_swap->setRecipePath(path());
        Q_EMIT pathChanged();
    });
    connect(m_editor, &QsciScintilla::textChanged, m_text, &CheckedText::checkLater);
    connect(m_text, &CheckedText::changed, this, &RecipePage::onChanged);
    connect(m_saving, &RecipeSaving::loaded, this, &RecipePage::onLoaded);
    connect(m_form, &RecipeForm::referenceFollowed, m_language, &RecipeLanguage::goTo);
    connect(m_form, &RecipeForm::refused, this,
        [this](const QString& why) { m_bar->showMessage(Tone::Warning, why); });
}

/// What others are told.
void RecipePage::connectTold()
{
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this,
        [this] { Q_EMIT caretMoved(m_editor->caret()); });
    connect(m_editor, &QsciScintilla::modificationChanged, this, &RecipePage::titleChanged);
    connect(m_saving, &RecipeSaving::savedChanged, this, &RecipePage::titleChanged);
    connect(m_saving, &RecipeSaving::attentionWanted, this,
        [this] { Q_EMIT openWanted(path(), m_editor->caret()); });
    connect(m_text, &CheckedText::checked, this, &RecipePage::checked);
    connect(m_language, &RecipeLanguage::usagesFound, this, &RecipePage::usagesFound);
    connect(m_language, &RecipeLanguage::usagesChanged, this, &RecipePage::usagesChanged);
    connect(m_language, &RecipeLanguage::openWanted, this, &RecipePage::openWanted);
}

QString RecipePage::title() const
{
    const QString name = QFileInfo(path()).fileName();
    return m_saving->isSaved() ? name : name + QStringLiteral(" *");
}

void RecipePage::keepUnsaved()
{
    if (isModified())
        m_swap->writeAndWait();
}

void RecipePage::onLoaded()
{
    if (m_viewToRestore)
        restoreView(*std::exchange(m_viewToRestore, std::nullopt));
    Q_EMIT loaded();
}

void RecipePage::onChanged(const CheckResultPtr& check)
{
    m_problems->setDiagnostics(path(), check->diagnostics);
    m_editor->setDiagnostics(path(), check->diagnostics);
    m_completer->setDocument(check->document);
}

void RecipePage::goToProblem(int row)
{
    m_editor->goTo(m_problems->at(row).span.begin);
}

void RecipePage::goToNextProblem(int direction, recipe::Severity least)
{
    const auto placeOf = [this](int row) { return m_problems->at(row).span.begin; };
    const auto isAhead = [&, caret = m_editor->caret()](int row) {
        return direction > 0 ? placeOf(row) > caret : placeOf(row) < caret;
    };
    const auto isNearer = [&](int row, int other) {
        if (isAhead(row) != isAhead(other))
            return isAhead(row);
        return direction > 0 ? placeOf(row) < placeOf(other) : placeOf(row) > placeOf(other);
    };
    int nearest = -1;
    for (int row = 0; row < m_problems->rowCount(); ++row)
        if (m_problems->at(row).severity <= least && (nearest < 0 || isNearer(row, nearest)))
            nearest = row;
    if (nearest >= 0)
        goToProblem(nearest);
}

ViewState RecipePage::viewState() const
{
    if (m_viewToRestore)
        return *m_viewToRestore;
    return { m_editor->caret(), m_editor->firstVisibleLine() };
}

void RecipePage::restoreView(const ViewState& state)
{
    if (!m_saving->isLoaded()) {
        m_viewToRestore = state;
        return;
    }
    m_editor->setCursorPosition(state.caret.line - 1, state.caret.column - 1);
    m_editor->setFirstVisibleLine(state.firstLine);
}

} // namespace earwright::ui
