#include "ui/editor/indentation.h"

#include <QRegularExpression>

namespace earwright::ui {
namespace {

qsizetype leadingSpaces(QStringView line)
{
    qsizetype spaces = 0;
    while (spaces < line.size() && line[spaces] == u' ')
        ++spaces;
    return spaces;
}

bool opensBlock(QStringView line)
{
    static const QRegularExpression block(
        QStringLiteral(R"(^[^#'"]*:(\s+&\S+)?(\s+!\S+)?(\s+[|>][-+1-9]*)?\s*(\s#.*)?$)"));
    static const QRegularExpression tag(QStringLiteral(R"(:(\s+&\S+)?\s+!\S+\s*(\s#.*)?$)"));
    static const QRegularExpression object(QStringLiteral(R"(^\S[^#]*!(new|name|apply):)"));
    if (!block.match(line).hasMatch())
        return false;
    return !tag.match(line).hasMatch() || object.match(line).hasMatch();
}

} // namespace

int indentationStep(QStringView recipe)
{
    for (const QStringView line : recipe.split(u'\n')) {
        const qsizetype spaces = leadingSpaces(line);
        if (spaces > 0 && spaces < line.size() && line[spaces] != u'#' && line[spaces] != u'-')
            return static_cast<int>(spaces);
    }
    return 4;
}

int columnsBelow(QStringView line, int step)
{
    if (!opensBlock(line))
        return -1;
    // Below "- key:" the text begins deeper than the key.
    qsizetype column = leadingSpaces(line);
    while (line.mid(column).startsWith(u"- "))
        column += 2 + leadingSpaces(line.mid(column + 2));
    return static_cast<int>(column) + step;
}

} // namespace earwright::ui
