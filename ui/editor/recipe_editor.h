#pragma once

#include "core/recipe/diagnostic.h"
#include "ui/editor/recipe_lexer.h"
#include "ui/widgets/qsci.h"

#include <utility>
#include <vector>

namespace earwright::ui {

/// A replacement of text, in UTF-16 code units of the whole text.
struct RangeEdit {
    qsizetype begin = 0;
    qsizetype end = 0;
    QString text {};
};

/// `description`: as QFont::toString() writes it; "" = the system's fixed font, at least 9 points.
QFont editorFontOf(const QString& description);

/// The text of one recipe: HyperPyYAML colours, line numbers, folding, diagnostics underlined, what
/// a value resolves to as a tooltip.
class RecipeEditor final : public QsciScintilla {
    Q_OBJECT
public:
    explicit RecipeEditor(QWidget* parent = nullptr);

    /// Replaces all text as one undo step, keeping the caret; only the part that differs is
    /// touched.
    void replaceText(const QString& text);
    /// Replaces all text and forgets what could be undone.
    void resetText(const QString& text);

    void setTextFont(const QString& description); ///< see editorFontOf()

    /// Underlines those of this file; a diagnostic without a place is left to the problems list.
    void setDiagnostics(
        const QString& fileName, const std::vector<recipe::Diagnostic>& diagnostics);

    void goTo(recipe::Position position); ///< caret there, in view, focus in the text
    void reveal(recipe::Position position); ///< the same without the focus
    recipe::Position caret() const;
    std::pair<qsizetype, qsizetype> selectedRange() const; ///< UTF-16 code units; the caret twice
                                                           ///< where nothing is selected
    void selectRange(qsizetype begin, qsizetype end); ///< in view, unfolded
    void replaceRanges(const std::vector<RangeEdit>& edits); ///< in order; one undo step
    void applyEdits(const std::vector<recipe::Edit>& edits); ///< of this file; one undo step
    void applyFix(const recipe::Fix& fix) { applyEdits(fix.edits); }
    void toggleComment(); ///< of the selected lines, one undo step

    /// Folds or unfolds what the caret is in: the block that its line opens, else the one around.
    void setFoldedAtCaret(bool folded);
    void setAllFolded(bool folded);

    QString textIn(recipe::Position begin, recipe::Position end) const;
    void applyEditAtCaret(const recipe::Edit& edit); ///< the caret goes behind what it wrote

    /// The problems underlined at a place.
    std::vector<recipe::Diagnostic> problemsAt(recipe::Position place) const;
    /// The corner and height of the caret's line at a place, on the screen.
    QRect placeOnScreen(recipe::Position place) const;
    /// Below a place, until the next key. HTML, as hoverText's, is taken for HTML; see plainTip.
    void showTip(const QString& text, recipe::Position place);

Q_SIGNALS:
    /// The mouse rests on a place and asks what is there.
    void explanationWanted(earwright::recipe::Position place);

protected:
    /// The window's shortcuts come before Scintilla's own keys.
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // Scintilla leaves 8 and up to its users. Indicators: in the order of recipe::Severity.
    enum Mark { kErrorMark = 8, kWarningMark = 9 };
    static constexpr int kErrorIndicator = 8;

    // recipe_editor_look.cpp
    void buildMarks(); ///< margins and underlines
    void applyTheme();

    // recipe_editor_edits.cpp
    struct ByteEdit {
        long begin = 0;
        long end = 0;
        QByteArray text {};
    };
    void replaceBytes(std::vector<ByteEdit> edits);
    void indentNewLine();

    // recipe_editor.cpp
    void underline(const recipe::Diagnostic& diagnostic);

    RecipeLexer* m_lexer;
    QString m_font; ///< see editorFontOf()
    QString m_fileName;
    std::vector<recipe::Diagnostic> m_diagnostics;
};

} // namespace earwright::ui
