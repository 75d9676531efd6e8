#include "ui/utterances/error_table.h"

#include "core/score/confusions.h"
#include "ui/utterances/utterance_filter.h"

#include <cmath>
#include <QCoreApplication>

namespace earwright::ui {

namespace {

using score::ErrorGroup;
using score::GroupBy;

constexpr qsizetype kAllColumns = 8; ///< of a table of groups
constexpr qsizetype kSpeechColumns = 4; ///< of them those that no recognised text is needed for

QString tableText(const char* text)
{
    return QCoreApplication::translate("ErrorTable", text);
}

QVariant countCell(int64_t count)
{
    return QVariant::fromValue(static_cast<qlonglong>(count));
}

score::ErrorRate editsOfRow(const UtteranceRow& row)
{
    score::ErrorRate edits { .tokens = row.tokens,
        .insertions = row.insertions,
        .deletions = row.deletions,
        .substitutions = row.substitutions,
        .sentences = 1 };
    edits.wrongSentences = edits.edits() > 0 ? 1 : 0;
    return edits;
}

QString groupTitle(const ErrorGroup& group)
{
    if (!group.speaker.empty())
        return QString::fromStdString(group.speaker);
    if (group.from < 0)
        return tableText("unknown");
    return std::isinf(group.below)
        ? tableText("%1 and more").arg(group.from)
        : tableText("%1 to %2").arg(QString::number(group.from), QString::number(group.below));
}

QString groupFilter(const ErrorGroup& group, GroupBy by)
{
    if (by == GroupBy::Speaker)
        return UtteranceFilter::speakerNamed(QString::fromStdString(group.speaker));
    if (group.from < 0)
        return {};
    const QString figure = by == GroupBy::Rate ? QStringLiteral("rate") : QStringLiteral("seconds");
    const QString least = QStringLiteral("%1>=%2").arg(figure).arg(group.from);
    return std::isinf(group.below) ? least
                                   : least + QStringLiteral(" %1<%2").arg(figure).arg(group.below);
}

QString groupColumn(GroupBy by, bool haveWords)
{
    return by == GroupBy::Speaker ? tableText("Speaker")
        : by == GroupBy::Seconds  ? tableText("Seconds")
        : haveWords               ? tableText("Words a second")
                                  : tableText("Characters a second");
}

} // namespace

ErrorTablePtr confusionTable(const UtteranceSet& set)
{
    const bool haveWords = set.rate != u"CER";
    score::ConfusionCounter counter(set.rate.toStdString(), set.wordSplit);
    for (const UtteranceRow& row : set.rows)
        if (row.substitutions + row.deletions + row.insertions > 0)
            counter.add(row.reference.toStdString(), row.hypothesis.toStdString());
    auto table = std::make_shared<ErrorTable>();
    table->titles
        = { tableText("Said"), tableText("Heard"), tableText("Count"), tableText("Utterances") };
    table->numTexts = 2;
    for (const score::Confusion& one : counter.confusions()) {
        const QString said = QString::fromStdString(one.reference);
        const QString heard = QString::fromStdString(one.hypothesis);
        table->rows.push_back(
            { .cells = { said, heard, countCell(one.count), countCell(one.utterances) },
                .filter = UtteranceFilter::confusion(said, heard, haveWords) });
    }
    return table;
}

ErrorTablePtr groupTable(const UtteranceSet& set, GroupBy by)
{
    score::ErrorGroups groups(by);
    for (const UtteranceRow& row : set.rows)
        groups.add(row.speaker.toStdString(), row.seconds, editsOfRow(row));
    const bool haveWords = set.rate != u"CER";
    const qsizetype numColumns = set.isManifest ? kSpeechColumns : kAllColumns;
    auto table = std::make_shared<ErrorTable>();
    table->titles = { groupColumn(by, haveWords), tableText("Utterances"),
        tableText("Total seconds"), haveWords ? tableText("Words") : tableText("Characters"),
        set.rate + QStringLiteral(" %"), tableText("S"), tableText("D"), tableText("I") };
    table->titles.resize(numColumns);
    table->numTexts = 1;
    for (const ErrorGroup& group : groups.groups()) {
        const score::ErrorRate& errors = group.errors;
        table->rows.push_back(
            { .cells = { groupTitle(group), countCell(errors.sentences), group.seconds,
                  countCell(errors.tokens), errors.percent(), countCell(errors.substitutions),
                  countCell(errors.deletions), countCell(errors.insertions) },
                .filter = groupFilter(group, by) });
        table->rows.back().cells.resize(numColumns);
    }
    return table;
}

} // namespace earwright::ui
