#include "ui/editor/recipe_lexer.h"

#include "ui/editor/recipe_tokens.h"
#include "ui/widgets/theme.h"

#include <array>

namespace earwright::ui {
namespace {

using StyleColors = std::array<QRgb, kTokenKindCount>;
// In the order of TokenKind; each at least 4.5 : 1 on its base colour.
constexpr StyleColors kLightStyles { 0xff1f2430, 0xff6a737d, 0xff0b5394, 0xff8b2fa8, 0xff6b3fa0,
    0xffa8480c, 0xff0a6e31, 0xff9a3412, 0xff9a3412, 0xff57606a, 0xff8a5a00 };
constexpr StyleColors kDarkStyles { 0xffe3e6eb, 0xff8691a0, 0xff7cc0ff, 0xffd9a0f5, 0xffc7b0f2,
    0xfff2a65a, 0xff8fd694, 0xfff0b27a, 0xfff0b27a, 0xff9aa4b2, 0xffe3b341 };

int foldLevel(QByteArrayView text)
{
    int indent = 0;
    while (indent < text.size() && text[indent] == ' ')
        ++indent;
    return indent;
}

bool isSkipped(QByteArrayView text)
{
    const QByteArrayView trimmed = text.trimmed();
    return trimmed.isEmpty() || trimmed.startsWith('#');
}

} // namespace

RecipeLexer::RecipeLexer(QObject* parent)
    : QsciLexerCustom(parent)
{
}

void RecipeLexer::setTheme(const QPalette& palette, const QFont& font)
{
    setDefaultPaper(palette.color(QPalette::Base));
    setDefaultColor(palette.color(QPalette::Text));
    setDefaultFont(font);
    setPaper(palette.color(QPalette::Base));
    setFont(font);
    const StyleColors& colors = isDark(palette) ? kDarkStyles : kLightStyles;
    for (size_t style = 0; style < colors.size(); ++style)
        setColor(QColor(colors[style]), static_cast<int>(style));
    QFont italic = font;
    italic.setItalic(true);
    setFont(italic, static_cast<int>(TokenKind::Comment));
    QFont bold = font;
    bold.setBold(true);
    setFont(bold, static_cast<int>(TokenKind::Tag));
}

QString RecipeLexer::description(int style) const
{
    static const std::array<const char*, kTokenKindCount> kNames { "Text", "Comment", "Key", "Tag",
        "Class", "Reference", "String", "Number", "Constant", "Punctuation", "Anchor" };
    return style >= 0 && style < kTokenKindCount
        ? QString::fromLatin1(kNames[static_cast<size_t>(style)])
        : QString();
}

void RecipeLexer::styleText(int start, int end)
{
    QsciScintilla* view = editor();
    if (!view)
        return;
    int line = static_cast<int>(view->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, start));
    const int last
        = static_cast<int>(view->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, end));
    // Line states hold blockIndent + 1, so that Scintilla's initial 0 means "no block".
    int blockIndent = line > 0
        ? static_cast<int>(view->SendScintilla(QsciScintilla::SCI_GETLINESTATE, line - 1)) - 1
        : -1;
    startStyling(static_cast<int>(view->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, line)));
    for (; line <= last; ++line) {
        const QByteArray text = view->text(line).toUtf8();
        styleLine(line, text, blockIndent);
        foldLine(line, text);
    }
}

void RecipeLexer::styleLine(int line, QByteArrayView text, int& blockIndent)
{
    QByteArrayView body = text;
    while (body.endsWith('\n') || body.endsWith('\r'))
        body.chop(1);
    for (const Token& token : tokenizeLine(body, blockIndent))
        setStyling(static_cast<int>(token.length), static_cast<int>(token.kind));
    setStyling(static_cast<int>(text.size() - body.size()), static_cast<int>(TokenKind::Text));
    editor()->SendScintilla(QsciScintilla::SCI_SETLINESTATE, static_cast<unsigned long>(line),
        static_cast<long>(blockIndent + 1));
}

void RecipeLexer::foldLine(int line, QByteArrayView text)
{
    constexpr int kMaxLookahead = 50; // comment and empty lines between a key and its block
    const int base = static_cast<int>(QsciScintilla::SC_FOLDLEVELBASE);
    int level = base + foldLevel(text);
    QsciScintilla* view = editor();
    if (isSkipped(text)) {
        const auto above = view->SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, line - 1);
        level = line > 0 ? (static_cast<int>(above) & QsciScintilla::SC_FOLDLEVELNUMBERMASK) : base;
        level |= text.trimmed().isEmpty() ? static_cast<int>(QsciScintilla::SC_FOLDLEVELWHITEFLAG)
                                          : 0;
    } else {
        int next = line + 1;
        while (next < view->lines() && next < line + kMaxLookahead
            && isSkipped(view->text(next).toUtf8()))
            ++next;
        if (next < view->lines() && base + foldLevel(view->text(next).toUtf8()) > level)
            level |= static_cast<int>(QsciScintilla::SC_FOLDLEVELHEADERFLAG);
    }
    view->SendScintilla(QsciScintilla::SCI_SETFOLDLEVEL, static_cast<unsigned long>(line),
        static_cast<long>(level));
}

} // namespace earwright::ui
