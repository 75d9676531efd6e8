#include "ui/editor/recipe_page.h"

#include "ui/editor/completer.h"
#include "ui/editor/find_bar.h"
#include "ui/editor/form_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

namespace earwright::ui {
RecipePage::RecipePage(const QString& path, QWidget* parent)
    : QWidget(parent)
    , m_file(new RecipeFile(path, this))
    , m_checker(new RecipeChecker(this))
    , m_problems(new DiagnosticsModel(this))
    , m_bar(new InfoBar(this))
    , m_recoveryBar(new InfoBar(this))
    , m_editor(new RecipeEditor(this))
    , m_findBar(new FindBar(m_editor, this))
    , m_form(new FormPanel(this))
    , m_completer(new Completer(m_editor))
    , m_swap(new SwapFile(
          path, [this] { return m_editor->text(); }, this))
{
    build();
    connectParts();
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
    views->addWidget(m_form);
    column->addWidget(views, 1);
    column->addWidget(m_findBar);
    setFocusProxy(m_editor);
    m_editor->setReadOnly(true);
}

void RecipePage::connectParts()
{
    connectDisk();
    connectLanguage();
    connectForm();
    connect(m_editor, &QsciScintilla::textChanged, this, &RecipePage::checkLater);
    connect(m_editor, &QsciScintilla::modificationChanged, this, &RecipePage::titleChanged);
    connect(m_checker, &RecipeChecker::checked, this, &RecipePage::onChecked);
}

QString RecipePage::title() const
{
    const QString name = QFileInfo(path()).fileName();
    return isSaved() ? name : name + QStringLiteral(" *");
}

bool RecipePage::isModified() const
{
    return !isSaved() || m_numChanges > 0;
}

bool RecipePage::isSaved() const
{
    return !m_editor->isModified() && !m_isOnlyHere && !m_isBehindDisk;
}

void RecipePage::checkLater()
{
    m_checker->schedule(m_editor->text(), path());
}

void RecipePage::onChecked(const CheckResultPtr& result)
{
    m_check = result;
    m_problems->setDiagnostics(path(), result->diagnostics);
    m_editor->setDiagnostics(path(), result->diagnostics);
    m_completer->setDocument(result->document);
    for (const auto& use : std::exchange(m_awaitingDocument, {}))
        use(result->document);
    Q_EMIT checked();
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
    if (!m_isLoaded) {
        m_viewToRestore = state;
        return;
    }
    m_editor->setCursorPosition(state.caret.line - 1, state.caret.column - 1);
    m_editor->setFirstVisibleLine(state.firstLine);
}

void RecipePage::showMessage(const QString& text)
{
    m_bar->showMessage(Tone::Warning, text);
}

} // namespace earwright::ui
