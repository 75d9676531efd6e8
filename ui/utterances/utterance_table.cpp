#include "ui/utterances/utterance_table.h"

#include "ui/utterances/utterance_model.h"
#include "ui/widgets/cut_delegate.h"
#include "ui/widgets/figure_table.h"

#include <algorithm>
#include <QHeaderView>

namespace earwright::ui {

namespace {

constexpr int kIdLetters = 34;
constexpr int kSpeakerLetters = 18;
constexpr int kTextLetters = 48;
constexpr int kMeasuredRows = 60; ///< that columns find their widths by

/// A text to be read from its beginning: no wider than so many letters.
class UtteranceTextDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize whole = QStyledItemDelegate::sizeHint(option, index);
        const int most = kTextLetters * option.fontMetrics.averageCharWidth();
        return { std::min(whole.width(), most), whole.height() };
    }
};

} // namespace

void setUpUtteranceTable(FigureTable& table, UtteranceModel& model)
{
    table.setItemDelegateForColumn(UtteranceRow::Id, new CutDelegate(kIdLetters, &table));
    table.setItemDelegateForColumn(UtteranceRow::Speaker, new CutDelegate(kSpeakerLetters, &table));
    for (const int column : { UtteranceRow::Reference, UtteranceRow::Hypothesis,
             UtteranceRow::OtherHypothesis, UtteranceRow::Corrected, UtteranceRow::StrangeWords })
        table.setItemDelegateForColumn(column, new UtteranceTextDelegate(&table));
    table.horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    table.setModel(&model);
    table.setSortingEnabled(true);
    table.sortByColumn(-1, Qt::AscendingOrder);
    table.horizontalHeader()->setSortIndicatorClearable(true); // back to the evaluation's order
    showKnownColumns(table, nullptr);
}

std::vector<int> unknownColumns(const UtteranceSetPtr& set)
{
    const UtteranceSet none;
    const UtteranceSet& known = set ? *set : none;
    std::vector<int> unknown;
    const auto addUnless = [&](bool isThere, std::initializer_list<int> columns) {
        if (!isThere)
            unknown.insert(unknown.end(), columns);
    };
    addUnless(known.hasSpeakers, { UtteranceRow::Speaker });
    addUnless(known.hasSeconds, { UtteranceRow::Seconds });
    addUnless(known.hasWer, { UtteranceRow::Wer });
    addUnless(known.hasCer, { UtteranceRow::Cer });
    addUnless(known.isCompared,
        { UtteranceRow::OtherHypothesis, UtteranceRow::OtherRate, UtteranceRow::Difference });
    addUnless(!known.isManifest,
        { UtteranceRow::Substitutions, UtteranceRow::Deletions, UtteranceRow::Insertions,
            UtteranceRow::Hypothesis });
    addUnless(known.isManifest, { UtteranceRow::SameTexts, UtteranceRow::SameSounds });
    addUnless(known.hasTokenizer, { UtteranceRow::StrangeWords });
    addUnless(known.hasOther, { UtteranceRow::InOther });
    addUnless(known.hasHeard, { UtteranceRow::Silence, UtteranceRow::Clipped });
    addUnless(known.hasCorrections, { UtteranceRow::Corrected });
    addUnless(known.hasQuarantine, { UtteranceRow::Quarantine });
    return unknown;
}

void showKnownColumns(FigureTable& table, const UtteranceSetPtr& set)
{
    const std::vector<int> unknown = unknownColumns(set);
    for (int column = 0; column < UtteranceRow::ColumnCount; ++column)
        table.setColumnHidden(
            column, std::find(unknown.begin(), unknown.end(), column) != unknown.end());
}

} // namespace earwright::ui
