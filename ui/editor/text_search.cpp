#include "ui/editor/text_search.h"

namespace earwright::ui {

QRegularExpression patternOf(const Search& search)
{
    QString pattern = search.isRegex ? search.text : QRegularExpression::escape(search.text);
    if (search.wholeWord)
        pattern = QStringLiteral("(?<!\\w)(?:%1)(?!\\w)").arg(pattern);
    QRegularExpression::PatternOptions options
        = QRegularExpression::MultilineOption | QRegularExpression::UseUnicodePropertiesOption;
    if (!search.matchCase)
        options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(pattern, options);
}

std::vector<Match> findAll(const QString& text, const QRegularExpression& pattern)
{
    std::vector<Match> found;
    if (!pattern.isValid() || pattern.pattern().isEmpty())
        return found;
    QRegularExpressionMatchIterator matches = pattern.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0)
            found.push_back({ match.capturedStart(), match.capturedLength() });
    }
    return found;
}

QString replacementOf(const QString& text, const Match& match, const QRegularExpression& pattern,
    const Search& search, const QString& replacement)
{
    if (!search.isRegex)
        return replacement;
    const QRegularExpressionMatch groups = pattern.match(text, match.begin);
    QString result;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        const bool isEscape = replacement[i] == QLatin1Char('\\') && i + 1 < replacement.size();
        if (!isEscape) {
            result += replacement[i];
            continue;
        }
        const QChar next = replacement[++i];
        if (next >= QLatin1Char('0') && next <= QLatin1Char('9'))
            result += groups.captured(next.digitValue());
        else
            result += next == QLatin1Char('n') ? QChar(u'\n')
                : next == QLatin1Char('t')     ? QChar(u'\t')
                                               : next;
    }
    return result;
}

} // namespace earwright::ui
