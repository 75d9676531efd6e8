#include "ui/editor/recipe_editor.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QApplication>
#include <QFontDatabase>

namespace earwright::ui {
namespace {

enum Margin { kNumbers, kMarks, kFolding };

} // namespace

QFont editorFontOf(const QString& description)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(std::max(9.0, QApplication::font().pointSizeF()));
    if (!description.isEmpty())
        font.fromString(description);
    return font;
}

void RecipeEditor::setTextFont(const QString& description)
{
    m_font = description;
    applyTheme();
}

void RecipeEditor::buildMarks()
{
    setMarginType(kNumbers, NumberMargin);
    setMarginWidth(kNumbers, QStringLiteral("00000"));
    setMarginType(kMarks, SymbolMargin);
    setMarginWidth(kMarks, 12);
    setMarginMarkerMask(kMarks, (1 << kErrorMark) | (1 << kWarningMark));
    markerDefine(Circle, kErrorMark);
    markerDefine(Circle, kWarningMark);
    setFolding(PlainFoldStyle, kFolding);
    setMarginWidth(kFolding, 14);
    for (int severity = 0; severity < 3; ++severity) {
        indicatorDefine(SquiggleLowIndicator, kErrorIndicator + severity);
        setIndicatorDrawUnder(true, kErrorIndicator + severity);
    }
}

void RecipeEditor::applyTheme()
{
    const QPalette colors = QApplication::palette();
    const QFont font = editorFontOf(m_font);
    m_lexer->setTheme(colors, font);
    const QColor muted = toneColor(Tone::Muted, colors);
    setMarginsBackgroundColor(colors.color(QPalette::AlternateBase));
    setMarginsForegroundColor(muted);
    setMarginsFont(font);
    setFoldMarginColors(
        colors.color(QPalette::AlternateBase), colors.color(QPalette::AlternateBase));
    setCaretForegroundColor(colors.color(QPalette::Text));
    setCaretLineBackgroundColor(isDark(colors) ? colors.color(QPalette::Base).lighter(125)
                                               : colors.color(QPalette::AlternateBase).darker(103));
    setSelectionBackgroundColor(colors.color(QPalette::Highlight));
    setSelectionForegroundColor(colors.color(QPalette::HighlightedText));
    setMatchedBraceForegroundColor(toneColor(Tone::Accent, colors));
    setMatchedBraceBackgroundColor(colors.color(QPalette::Midlight));
    setUnmatchedBraceForegroundColor(toneColor(Tone::Bad, colors));
    setUnmatchedBraceBackgroundColor(colors.color(QPalette::Base));
    setIndentationGuidesForegroundColor(colors.color(QPalette::Mid));
    setIndentationGuidesBackgroundColor(colors.color(QPalette::Base));
    setMarkerBackgroundColor(toneColor(Tone::Bad, colors), kErrorMark);
    setMarkerForegroundColor(toneColor(Tone::Bad, colors), kErrorMark);
    setMarkerBackgroundColor(toneColor(Tone::Warning, colors), kWarningMark);
    setMarkerForegroundColor(toneColor(Tone::Warning, colors), kWarningMark);
    for (int marker = int { SC_MARKNUM_FOLDEREND }; marker <= int { SC_MARKNUM_FOLDEROPEN };
         ++marker) {
        setMarkerForegroundColor(muted, marker);
        setMarkerBackgroundColor(muted, marker);
    }
    const Tone tones[] = { Tone::Bad, Tone::Warning, Tone::Info };
    for (int severity = 0; severity < 3; ++severity)
        setIndicatorForegroundColor(toneColor(tones[severity], colors), kErrorIndicator + severity);
}

} // namespace earwright::ui
