#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <vector>

namespace kymo::ui {

/// What a stretch of a recipe is, for colouring only: parsing is core/recipe's.
enum class TokenKind {
    Text,
    Comment,
    Key,
    Tag,
    ClassName,
    Reference,
    String,
    Number,
    Constant,
    Punctuation,
    Anchor
};
constexpr int kTokenKindCount = 11;

struct Token {
    TokenKind kind = TokenKind::Text;
    qsizetype length = 0; ///< bytes
};

/// One line without its newline -> tokens that cover it. `blockIndent` carries a block scalar
/// (`key: |`) from line to line: the indentation of the line that opened it, or -1; updated for the
/// next line.
std::vector<Token> tokenizeLine(QByteArrayView line, int& blockIndent);

/// Dotted path of the key on a line (0-based), found by indentation: "enc.dropout"; "" where the
/// line has no key.
QByteArray keyPathAt(const QList<QByteArray>& lines, qsizetype line);
/// The path within <…> around a byte column, as `!ref <enc[dropout]>` names it, dots for brackets;
/// "" outside of one.
QByteArray referenceAt(QByteArrayView line, qsizetype column);

} // namespace kymo::ui
