#include "ui/editor/recipe_tokens.h"

#include <QList>

namespace earwright::ui {
namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

int indentOf(QByteArrayView line)
{
    int indent = 0;
    while (indent < line.size() && line[indent] == ' ')
        ++indent;
    return indent;
}

bool isEmptyLine(QByteArrayView line)
{
    return line.trimmed().isEmpty();
}

bool isConstant(QByteArrayView word)
{
    const QByteArray lower = word.toByteArray().toLower();
    return lower == "true" || lower == "false" || lower == "null" || lower == "~" || lower == ".inf"
        || lower == "-.inf" || lower == ".nan";
}

bool isNumber(QByteArrayView word)
{
    QByteArray plain = word.toByteArray();
    plain.replace("_", "");
    bool asDouble = false;
    bool asInteger = false;
    plain.toDouble(&asDouble);
    plain.toLongLong(&asInteger, 0);
    return asDouble || asInteger;
}

/// Cuts one line into tokens, left to right.
class LineScanner {
public:
    explicit LineScanner(QByteArrayView line)
        : m_line(line)
    {
    }

    std::vector<Token> scan()
    {
        while (!atEnd())
            scanOne();
        return std::move(m_tokens);
    }

private:
    bool atEnd() const { return m_at >= m_line.size(); }
    char peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_line.size() ? m_line[m_at + ahead] : '\0';
    }

    void push(TokenKind kind, qsizetype length)
    {
        if (length > 0)
            m_tokens.push_back({ kind, length });
        m_at += length;
    }

    template <class Stop>
    qsizetype lengthUntil(Stop&& stop) const
    {
        qsizetype end = m_at;
        while (end < m_line.size() && !stop(end))
            ++end;
        return end - m_at;
    }

    void scanOne()
    {
        const char c = peek();
        if (isBlank(c))
            return push(
                TokenKind::Text, lengthUntil([&](qsizetype i) { return !isBlank(m_line[i]); }));
        if (c == '#' && (m_at == 0 || isBlank(m_line[m_at - 1])))
            return push(TokenKind::Comment, m_line.size() - m_at);
        if (c == '"' || c == '\'')
            return scanQuoted(c);
        if (c == '!')
            return scanTag();
        if (c == '<')
            return scanReference();
        if ((c == '&' || c == '*') && peek(1) > ' ' && m_afterValueStart)
            return push(TokenKind::Anchor, lengthOfWord());
        if (isPunctuation(c))
            return push(TokenKind::Punctuation, 1);
        scanWord();
    }

    bool isPunctuation(char c) const
    {
        const bool dash = c == '-' && (isBlank(peek(1)) || m_at + 1 == m_line.size());
        const bool colon = c == ':' && (isBlank(peek(1)) || m_at + 1 == m_line.size());
        return dash || colon || QByteArrayView("[]{},|>?").contains(c);
    }

    void scanQuoted(char quote)
    {
        qsizetype end = m_at + 1;
        while (end < m_line.size() && m_line[end] != quote)
            end += (quote == '"' && m_line[end] == '\\') ? 2 : 1;
        push(TokenKind::String, std::min(end + 1, m_line.size()) - m_at);
    }

    /// "!new:" is the tag, what follows the colon the class.
    void scanTag()
    {
        const qsizetype word = lengthOfWord();
        const qsizetype colon = m_line.sliced(m_at, word).indexOf(':');
        push(TokenKind::Tag, colon < 0 ? word : colon + 1);
        if (colon >= 0)
            push(TokenKind::ClassName, word - colon - 1);
    }

    void scanReference()
    {
        const qsizetype close = m_line.sliced(m_at).indexOf('>');
        const bool hasSpace = close > 0 && m_line.sliced(m_at, close).contains(' ');
        close > 0 && !hasSpace ? push(TokenKind::Reference, close + 1) : push(TokenKind::Text, 1);
    }

    qsizetype lengthOfWord() const
    {
        return lengthUntil([&](qsizetype i) {
            return isBlank(m_line[i]) || QByteArrayView(",]}").contains(m_line[i]);
        });
    }

    void scanWord()
    {
        const qsizetype length = lengthUntil([&](qsizetype i) {
            const char c = m_line[i];
            const bool ends = i + 1 == m_line.size() || isBlank(m_line[i + 1]);
            return (c == ':' && ends) || isBlank(c) || QByteArrayView(",]}<").contains(c);
        });
        const QByteArrayView word = m_line.sliced(m_at, std::max<qsizetype>(1, length));
        push(kindOfWord(word), word.size());
        m_afterValueStart = true;
    }

    TokenKind kindOfWord(QByteArrayView word) const
    {
        const qsizetype after = m_at + word.size();
        if (after < m_line.size() && m_line[after] == ':')
            return TokenKind::Key;
        if (isConstant(word))
            return TokenKind::Constant;
        return isNumber(word) ? TokenKind::Number : TokenKind::Text;
    }

    QByteArrayView m_line;
    qsizetype m_at = 0;
    bool m_afterValueStart = false;
    std::vector<Token> m_tokens;
};

bool opensBlock(QByteArrayView line)
{
    const qsizetype comment = line.indexOf(" #");
    QByteArrayView text = (comment < 0 ? line : line.first(comment)).trimmed();
    while (!text.isEmpty() && QByteArrayView("+-0123456789").contains(text.back()))
        text.chop(1);
    return (text.endsWith('|') || text.endsWith('>')) && text.size() > 1
        && isBlank(text[text.size() - 2]);
}

} // namespace

std::vector<Token> tokenizeLine(QByteArrayView line, int& blockIndent)
{
    if (blockIndent >= 0 && (isEmptyLine(line) || indentOf(line) > blockIndent))
        return { { TokenKind::String, line.size() } };
    blockIndent = opensBlock(line) ? indentOf(line) : -1;
    return LineScanner(line).scan();
}

} // namespace earwright::ui
