#include "ui/editor/indentation.h"
#include "ui/editor/recipe_editor.h"

#include <algorithm>
#include <limits>

namespace earwright::ui {
namespace {

QByteArray indentedComment(QByteArray line, bool add, qsizetype column)
{
    if (add)
        return line.insert(column, "# ");
    const qsizetype hash = line.indexOf('#');
    return line.remove(hash, line.mid(hash, 2) == "# " ? 2 : 1);
}

} // namespace

void RecipeEditor::resetText(const QString& text)
{
    setText(text);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setModified(false);
}

void RecipeEditor::replaceText(const QString& text)
{
    const QByteArray before = this->text().toUtf8();
    const QByteArray after = text.toUtf8();
    qsizetype head = 0;
    while (head < before.size() && head < after.size() && before[head] == after[head])
        ++head;
    qsizetype tail = 0;
    while (tail < before.size() - head && tail < after.size() - head
        && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    // Never inside a UTF-8 sequence: Scintilla would show broken bytes for a moment.
    while (head > 0 && head < before.size() && (before[head] & 0xC0) == 0x80)
        --head;
    while (tail > 0 && (before[before.size() - tail] & 0xC0) == 0x80)
        --tail;
    const QByteArray middle = after.mid(head, after.size() - head - tail);
    replaceBytes({ { static_cast<long>(head), static_cast<long>(before.size() - tail), middle } });
}

void RecipeEditor::replaceBytes(std::vector<ByteEdit> edits)
{
    if (edits.empty())
        return;
    // From the last to the first, so that the places of the others stay right.
    std::stable_sort(edits.begin(), edits.end(),
        [](const ByteEdit& a, const ByteEdit& b) { return a.begin < b.begin; });
    beginUndoAction();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
        SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(edit->begin));
        SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(edit->end));
        SendScintilla(
            SCI_REPLACETARGET, static_cast<uintptr_t>(edit->text.size()), edit->text.constData());
    }
    endUndoAction();
}

void RecipeEditor::applyEdits(const std::vector<recipe::Edit>& edits)
{
    std::vector<ByteEdit> bytes;
    const auto place = [this](recipe::Position position) {
        return static_cast<long>(positionFromLineIndex(position.line - 1, position.column - 1));
    };
    for (const recipe::Edit& edit : edits)
        bytes.push_back(
            { place(edit.span.begin), place(edit.span.end), QByteArray::fromStdString(edit.text) });
    replaceBytes(std::move(bytes));
}

QString RecipeEditor::textIn(recipe::Position begin, recipe::Position end) const
{
    return text(positionFromLineIndex(begin.line - 1, begin.column - 1),
        positionFromLineIndex(end.line - 1, end.column - 1));
}

void RecipeEditor::applyEditAtCaret(const recipe::Edit& edit)
{
    const int begin = positionFromLineIndex(edit.span.begin.line - 1, edit.span.begin.column - 1);
    applyEdits({ edit });
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(begin) + edit.text.size());
}

void RecipeEditor::replaceRanges(const std::vector<RangeEdit>& edits)
{
    const QString all = text();
    std::vector<ByteEdit> bytes;
    qsizetype units = 0;
    long at = 0;
    const auto place = [&](qsizetype offset) {
        at += static_cast<long>(QStringView(all).mid(units, offset - units).toUtf8().size());
        units = offset;
        return at;
    };
    for (const RangeEdit& edit : edits) {
        const long begin = place(edit.begin);
        bytes.push_back({ begin, place(edit.end), edit.text.toUtf8() });
    }
    replaceBytes(std::move(bytes));
}

std::pair<qsizetype, qsizetype> RecipeEditor::selectedRange() const
{
    const auto units = [this](unsigned int which) {
        return static_cast<qsizetype>(SendScintilla(SCI_COUNTCODEUNITS, 0UL, SendScintilla(which)));
    };
    return { units(SCI_GETSELECTIONSTART), units(SCI_GETSELECTIONEND) };
}

void RecipeEditor::selectRange(qsizetype begin, qsizetype end)
{
    const auto position = [this](qsizetype offset) {
        return SendScintilla(SCI_POSITIONRELATIVECODEUNITS, 0UL, static_cast<long>(offset));
    };
    const long first = position(begin);
    ensureLineVisible(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, first)));
    SendScintilla(SCI_SETSEL, static_cast<unsigned long>(first), position(end));
    SendScintilla(SCI_SCROLLCARET);
}

void RecipeEditor::toggleComment()
{
    int first = caret().line - 1;
    int last = first;
    int endIndex = 1;
    if (hasSelectedText()) {
        int index = 0;
        getSelection(&first, &index, &last, &endIndex);
        last -= endIndex == 0 && last > first ? 1 : 0;
    }
    QList<QByteArray> all = text().toUtf8().split('\n');
    bool add = false;
    qsizetype column = std::numeric_limits<qsizetype>::max();
    for (int line = first; line <= last; ++line) {
        const QByteArray body = all[line].trimmed();
        add = add || (!body.isEmpty() && !body.startsWith('#'));
        if (!body.isEmpty())
            column = std::min(column, all[line].indexOf(body));
    }
    for (int line = first; line <= last; ++line)
        if (!all[line].trimmed().isEmpty())
            all[line] = indentedComment(all[line], add, column);
    replaceText(QString::fromUtf8(all.join('\n')));
}

/// Scintilla has indented it as the line above.
void RecipeEditor::indentNewLine()
{
    const int line = caret().line - 1;
    QString above = text(line - 1);
    above.chop(1);
    const int columns = columnsBelow(above, indentationStep(text()));
    if (columns < 0)
        return;
    setIndentation(line, columns);
    setCursorPosition(line, columns);
}

void RecipeEditor::setFoldedAtCaret(bool folded)
{
    // Blocks are known as far as the text is coloured, and that is done as it comes into view.
    SendScintilla(SCI_COLOURISE, static_cast<unsigned long>(SendScintilla(SCI_GETENDSTYLED)), -1L);
    long line = caret().line - 1;
    const auto isHeader = [this](long at) {
        return (SendScintilla(SCI_GETFOLDLEVEL, at) & SC_FOLDLEVELHEADERFLAG) != 0;
    };
    if (!isHeader(line) || (folded && SendScintilla(SCI_GETFOLDEXPANDED, line) == 0))
        line = SendScintilla(SCI_GETFOLDPARENT, line);
    if (line < 0)
        return;
    SendScintilla(SCI_FOLDLINE, static_cast<unsigned long>(line),
        static_cast<long>(folded ? SC_FOLDACTION_CONTRACT : SC_FOLDACTION_EXPAND));
    if (folded)
        setCursorPosition(static_cast<int>(line), lineLength(static_cast<int>(line)) - 1);
}

void RecipeEditor::setAllFolded(bool folded)
{
    SendScintilla(SCI_FOLDALL,
        static_cast<unsigned long>(folded ? SC_FOLDACTION_CONTRACT : SC_FOLDACTION_EXPAND));
    SendScintilla(SCI_SCROLLCARET);
}

} // namespace earwright::ui
