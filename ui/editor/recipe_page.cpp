#include "ui/editor/recipe_page.h"

#include "ui/editor/completer.h"
#include "ui/editor/find_bar.h"
#include "ui/editor/form_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/swap_file.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

namespace kymo::ui {
RecipePage::RecipePage(const QString& path, QWidget* parent)
    : QWidget(parent)
    , m_file(new RecipeFile(path, this))
    , m_checker(new RecipeChecker(this))
    , m_problems(new DiagnosticsModel(this))
    , m_bar(new InfoBar(this))
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
    column->addWidget(m_bar);
    auto* views = new QSplitter(this);
    views->setChildrenCollapsible(false);
    views->addWidget(m_editor);
    views->addWidget(m_form);
    column->addWidget(views, 1);
    column->addWidget(m_findBar);
    setFocusProxy(m_editor);
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
    return isModified() ? name + QStringLiteral(" *") : name;
}

bool RecipePage::isModified() const
{
    return m_editor->isModified() || m_isOnlyHere;
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

void RecipePage::goToNextProblem(int direction)
{
    const int count = m_problems->rowCount();
    if (count == 0)
        return;
    const recipe::Position caret = m_editor->caret();
    int best = -1;
    for (int row = 0; row < count; ++row) {
        const recipe::Position place = m_problems->at(row).span.begin;
        const bool ahead = direction > 0 ? place > caret : place < caret;
        const bool nearer = best < 0
            || (direction > 0 ? place < m_problems->at(best).span.begin
                              : place > m_problems->at(best).span.begin);
        if (ahead && nearer)
            best = row;
    }
    goToProblem(best >= 0 ? best : (direction > 0 ? 0 : count - 1));
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

} // namespace kymo::ui
