#include "ui/utterances/alignment.h"

#include "core/base/unspaced.h"

#include <QStringList>

namespace earwright::ui {

namespace {

std::vector<std::string> alignedTokens(
    const QString& text, AlignmentUnit unit, bool haveWords, score::WordSplit split)
{
    const std::string utf8 = text.toStdString();
    if (!haveWords)
        return unspacedUnits(utf8);
    return unit == AlignmentUnit::Word ? score::words(utf8, split) : score::characters(utf8, split);
}

} // namespace

QString Alignment::text() const
{
    QStringList parts;
    for (const Pair& pair : pairs)
        parts << (pair.edit == '=' ? pair.reference
                : pair.edit == 'S'
                ? QStringLiteral("[S: %1 → %2]").arg(pair.reference, pair.hypothesis)
                : pair.edit == 'D' ? QStringLiteral("[D: %1]").arg(pair.reference)
                                   : QStringLiteral("[I: %1]").arg(pair.hypothesis));
    return parts.join(u' ');
}

Alignment align(const QString& reference, const QString& hypothesis, AlignmentUnit unit,
    bool haveWords, score::WordSplit split)
{
    const score::Scored scored = score::score({}, alignedTokens(reference, unit, haveWords, split),
        alignedTokens(hypothesis, unit, haveWords, split));
    Alignment alignment;
    size_t spoken = 0;
    size_t heard = 0;
    for (const char edit : scored.operations) {
        Alignment::Pair pair { .reference = {}, .hypothesis = {}, .edit = edit };
        if (edit != 'I')
            pair.reference = QString::fromStdString(scored.reference[spoken++]);
        if (edit != 'D')
            pair.hypothesis = QString::fromStdString(scored.hypothesis[heard++]);
        alignment.pairs.push_back(pair);
    }
    return alignment;
}

} // namespace earwright::ui
