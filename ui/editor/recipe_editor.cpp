#include "ui/editor/recipe_editor.h"

#include <algorithm>
#include <QAction>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace earwright::ui {
namespace {

struct Range {
    int line = 0; ///< 0-based, as QScintilla counts
    int index = 0;
    int endLine = 0;
    int endIndex = 0;
    bool holds(int l, int i) const
    {
        return std::pair(line, index) <= std::pair(l, i)
            && std::pair(l, i) <= std::pair(endLine, endIndex);
    }
};

/// At least one character wide; a span without an end covers the rest of its line.
Range rangeOf(const recipe::Span& span, const QsciScintilla& view)
{
    Range range { span.begin.line - 1, std::max(0, span.begin.column - 1), span.end.line - 1,
        span.end.column - 1 };
    if (range.endLine < range.line) {
        range.endLine = range.line;
        range.endIndex = static_cast<int>(view.text(range.line).trimmed().size());
    }
    if (range.endLine == range.line)
        range.endIndex = std::max(range.endIndex, range.index + 1);
    return range;
}

} // namespace

RecipeEditor::RecipeEditor(QWidget* parent)
    : QsciScintilla(parent)
    , m_lexer(new RecipeLexer(this))
{
    setObjectName(QStringLiteral("recipeEditor"));
    setAccessibleName(tr("Recipe text"));
    setUtf8(true);
    setEolMode(EolUnix);
    setLexer(m_lexer);
    setIndentationsUseTabs(false);
    setTabWidth(4);
    setAutoIndent(true);
    setBackspaceUnindents(true);
    setIndentationGuides(true);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    setFrameShape(QFrame::NoFrame);
    setScrollWidth(200);
    setScrollWidthTracking(true);
    SendScintilla(SCI_SETMULTIPLESELECTION, true);
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, true);
    buildMarks();
    applyTheme();
    connect(this, &QsciScintilla::textChanged, this, [] { QToolTip::hideText(); });
    connect(this, &QsciScintillaBase::SCN_CHARADDED, this, [this](int added) {
        if (added == '\n')
            indentNewLine();
    });
}

void RecipeEditor::setDiagnostics(
    const QString& fileName, const std::vector<recipe::Diagnostic>& diagnostics)
{
    m_fileName = fileName;
    m_diagnostics.clear();
    for (int severity = 0; severity < 3; ++severity)
        clearIndicatorRange(0, 0, lines(), 0, kErrorIndicator + severity);
    markerDeleteAll(kErrorMark);
    markerDeleteAll(kWarningMark);
    for (const recipe::Diagnostic& diagnostic : diagnostics) {
        const QString file = QString::fromStdString(diagnostic.span.file);
        if (diagnostic.span.begin.line > 0 && (file.isEmpty() || file == fileName)) {
            m_diagnostics.push_back(diagnostic);
            underline(diagnostic);
        }
    }
}

void RecipeEditor::underline(const recipe::Diagnostic& diagnostic)
{
    const Range range = rangeOf(diagnostic.span, *this);
    fillIndicatorRange(range.line, range.index, range.endLine, range.endIndex,
        kErrorIndicator + static_cast<int>(diagnostic.severity));
    if (diagnostic.severity != recipe::Severity::Info)
        markerAdd(
            range.line, diagnostic.severity == recipe::Severity::Error ? kErrorMark : kWarningMark);
}

void RecipeEditor::goTo(recipe::Position position)
{
    reveal(position);
    setFocus();
}

void RecipeEditor::reveal(recipe::Position position)
{
    const int line = std::max(0, position.line - 1);
    ensureLineVisible(line);
    setCursorPosition(line, std::max(0, position.column - 1));
    SendScintilla(SCI_SCROLLCARET);
}

recipe::Position RecipeEditor::caret() const
{
    int line = 0;
    int index = 0;
    getCursorPosition(&line, &index);
    return { line + 1, index + 1 };
}

std::vector<recipe::Diagnostic> RecipeEditor::problemsAt(recipe::Position place) const
{
    std::vector<recipe::Diagnostic> found;
    for (const recipe::Diagnostic& diagnostic : m_diagnostics)
        if (rangeOf(diagnostic.span, *this).holds(place.line - 1, place.column - 1))
            found.push_back(diagnostic);
    return found;
}

QRect RecipeEditor::placeOnScreen(recipe::Position place) const
{
    const auto position
        = static_cast<long>(positionFromLineIndex(place.line - 1, place.column - 1));
    const QPoint corner(static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, position)),
        static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, position)));
    const auto height = static_cast<int>(SendScintilla(SCI_TEXTHEIGHT, place.line - 1));
    return { viewport()->mapToGlobal(corner), QSize(1, height + 2) };
}

void RecipeEditor::showTip(const QString& text, recipe::Position place)
{
    QToolTip::showText(placeOnScreen(place).bottomLeft(), text, viewport());
}

bool RecipeEditor::event(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QsciScintilla::event(event);
    const QKeySequence keys(static_cast<QKeyEvent*>(event)->keyCombination());
    for (const QAction* action : window()->actions())
        if (action->isEnabled() && action->shortcuts().contains(keys))
            return false;
    return QsciScintilla::event(event);
}

void RecipeEditor::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyTheme();
}

bool RecipeEditor::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QsciScintilla::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const long position = SendScintilla(SCI_POSITIONFROMPOINTCLOSE,
        static_cast<unsigned long>(help->pos().x()), static_cast<long>(help->pos().y()));
    int line = 0;
    int index = 0;
    if (position >= 0)
        lineIndexFromPosition(static_cast<int>(position), &line, &index);
    if (position >= 0)
        Q_EMIT explanationWanted({ line + 1, index + 1 });
    else
        QToolTip::hideText();
    return true;
}

} // namespace earwright::ui
