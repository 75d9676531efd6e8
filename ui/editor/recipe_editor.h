#pragma once

#include "core/recipe/diagnostic.h"
#include "ui/editor/recipe_lexer.h"
#include "ui/widgets/qsci.h"

#include <vector>

namespace kymo::ui {

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

    /// Underlines those of this file; a diagnostic without a place is left to the problems list.
    void setDiagnostics(
        const QString& fileName, const std::vector<recipe::Diagnostic>& diagnostics);
    void setResolved(recipe::NodePtr resolved) { m_resolved = std::move(resolved); }

    void goTo(recipe::Position position); ///< caret there, in view, focus in the text
    recipe::Position caret() const;
    void applyFix(const recipe::Fix& fix); ///< one undo step
    void toggleComment(); ///< of the selected lines, one undo step

    /// What a tooltip at this place says; "" where there is nothing to say.
    QString explanationAt(int line, int index) const;

protected:
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // Scintilla leaves 8 and up to its users. Indicators: in the order of recipe::Severity.
    enum Mark { kErrorMark = 8, kWarningMark = 9 };
    static constexpr int kErrorIndicator = 8;

    // recipe_editor_look.cpp
    void buildMargins();
    void buildIndicators();
    void applyTheme();

    // recipe_editor.cpp
    void underline(const recipe::Diagnostic& diagnostic);
    QString resolvedAt(int line, int index) const;

    RecipeLexer* m_lexer;
    QString m_fileName;
    std::vector<recipe::Diagnostic> m_diagnostics;
    recipe::NodePtr m_resolved;
};

} // namespace kymo::ui
