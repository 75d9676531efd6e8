#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <vector>

namespace earwright::ui {

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

} // namespace earwright::ui
