#include "ui/runs/run_titles.h"

#include <QRegularExpression>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr QChar kEllipsis(0x2026);

qsizetype sharedLength(const QString& a, const QString& b)
{
    return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

/// The same place, or the one before it where that is the middle of a letter.
qsizetype letterAt(const QString& title, qsizetype at)
{
    return at > 0 && title[at].isLowSurrogate() ? at - 1 : at;
}

} // namespace

QHash<QString, qsizetype> sharedBeginnings(QStringList titles)
{
    titles.sort();
    titles.removeDuplicates();
    QHash<QString, qsizetype> shared;
    for (qsizetype i = 1; i < titles.size(); ++i) {
        const qsizetype length = sharedLength(titles[i - 1], titles[i]);
        // What sorts next to it shares most with it.
        for (const QString& title : { titles[i - 1], titles[i] })
            shared[title] = std::max(shared.value(title), length);
    }
    return shared;
}

QString cutTitle(const QString& title, qsizetype numShared, const QFontMetrics& metrics, int width)
{
    const QString middle = metrics.elidedText(title, Qt::ElideMiddle, width);
    const qsizetype cut = middle.indexOf(kEllipsis);
    const qsizetype shownFrom = title.size() - (middle.size() - cut - 1);
    if (cut < 0 || numShared < cut || numShared >= shownFrom)
        return middle;
    static const QRegularExpression kWordEnd(QStringLiteral("[-_ ]"));
    const qsizetype ownWord = title.first(numShared).lastIndexOf(kWordEnd) + 1;
    const QString own = title.sliced(ownWord);
    const int room = width - metrics.horizontalAdvance(own);
    const QString least = title.first(std::min<qsizetype>(3, ownWord)) + kEllipsis;
    const int leastRoom = metrics.horizontalAdvance(least);
    if (room >= leastRoom)
        return metrics.elidedText(title.first(ownWord), Qt::ElideRight, room) + own;
    const QString end = metrics.elidedText(own, Qt::ElideRight, width - leastRoom);
    if (end.size() > numShared - ownWord + 1)
        return least + end;
    const QString word = metrics.elidedText(kEllipsis + own, Qt::ElideRight, width);
    if (word.size() > numShared - ownWord + 2)
        return word;
    // A long word, or writing that sets no spaces: from where it becomes its own.
    const qsizetype from = letterAt(title, std::max(ownWord, numShared - 2));
    return metrics.elidedText(kEllipsis + title.sliced(from), Qt::ElideRight, width);
}

} // namespace earwright::ui
