#include "ui/widgets/plain_tip.h"

#include <QRegularExpression>
#include <QTextDocument>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr qsizetype kMostCharacters = 2000;
constexpr qsizetype kMostLines = 40;

} // namespace

QString beginningOf(const QString& text)
{
    qsizetype end = std::min(text.size(), kMostCharacters);
    if (end < text.size() && text.at(end).isLowSurrogate())
        --end;
    qsizetype lines = 0;
    for (qsizetype at = 0; at < end; ++at)
        if (text.at(at) == QLatin1Char('\n') && ++lines == kMostLines)
            end = at;
    return end < text.size() ? text.first(end) + QChar(0x2026) : text;
}

QString plainTip(const QString& text)
{
    static const QRegularExpression kLongLine(QStringLiteral("[^\\n]{121}"));
    static const QRegularExpression kLongWord(QStringLiteral("(\\S{60})(?=\\S)"));
    QString tip = beginningOf(text);
    if (!Qt::mightBeRichText(tip) && !tip.contains(kLongLine))
        return tip;
    tip.replace(kLongWord, QStringLiteral("\\1\u200B")); // a word alone would not wrap
    return QStringLiteral("<p style='white-space:pre-wrap'>%1</p>")
        .arg(tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

} // namespace earwright::ui
