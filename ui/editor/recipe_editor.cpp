#include "ui/editor/recipe_editor.h"

#include "core/recipe/resolve.h"
#include "ui/editor/recipe_tokens.h"

#include <algorithm>
#include <QAction>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace kymo::ui {
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

QString shortened(const QString& text)
{
    constexpr qsizetype kMaxLines = 12;
    QStringList lines = text.trimmed().split(QLatin1Char('\n'));
    if (lines.size() > kMaxLines)
        lines = lines.first(kMaxLines) << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
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
    buildMargins();
    buildIndicators();
    applyTheme();
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
    const int line = std::max(0, position.line - 1);
    ensureLineVisible(line);
    setCursorPosition(line, std::max(0, position.column - 1));
    SendScintilla(SCI_SCROLLCARET);
    setFocus();
}

recipe::Position RecipeEditor::caret() const
{
    int line = 0;
    int index = 0;
    getCursorPosition(&line, &index);
    return { line + 1, index + 1 };
}

QString RecipeEditor::explanationAt(int line, int index) const
{
    QStringList parts;
    for (const recipe::Diagnostic& diagnostic : m_diagnostics) {
        if (!rangeOf(diagnostic.span, *this).holds(line, index))
            continue;
        parts << QString::fromStdString(diagnostic.message);
        if (diagnostic.fix)
            parts << tr("Alt+Enter: %1").arg(QString::fromStdString(diagnostic.fix->title));
    }
    if (const QString value = resolvedAt(line, index); !value.isEmpty())
        parts << value;
    return parts.join(QLatin1Char('\n'));
}

QString RecipeEditor::resolvedAt(int line, int index) const
{
    if (!m_resolved || line < 0 || line >= lines())
        return {};
    const QString lineText = text(line);
    // QScintilla counts code points, the tokens bytes.
    const QList<uint> points = lineText.toUcs4();
    const qsizetype column
        = QString::fromUcs4(reinterpret_cast<const char32_t*>(points.constData()),
            std::min<qsizetype>(index, points.size()))
              .toUtf8()
              .size();
    QByteArray path = referenceAt(lineText.toUtf8(), column);
    if (path.isEmpty())
        path = keyPathAt(text().toUtf8().split('\n'), line);
    if (path.isEmpty())
        return {};
    const recipe::NodePtr node = recipe::findPath(*m_resolved, path.toStdString());
    if (!node)
        return {};
    return tr("%1 = %2").arg(
        QString::fromUtf8(path), shortened(QString::fromStdString(recipe::emitYaml(*node))));
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
    QString text;
    if (position >= 0) {
        int line = 0;
        int index = 0;
        lineIndexFromPosition(static_cast<int>(position), &line, &index);
        text = explanationAt(line, index);
    }
    QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

} // namespace kymo::ui
