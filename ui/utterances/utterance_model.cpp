#include "ui/utterances/utterance_model.h"

#include "ui/widgets/column_header.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_export.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QApplication>
#include <QtConcurrentRun>

namespace earwright::ui {

namespace {

using Row = UtteranceRow;

constexpr std::array<ColumnHeader, Row::ColumnCount> kUtteranceHeaders {
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "ID"), "", true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Speaker"), "", true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Seconds") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "WER %") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "CER %") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "S"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Substitutions: other words (or characters) heard") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "D"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Deletions: words (or characters) not heard") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "I"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Insertions: words (or characters) not spoken") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Reference"), "", true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Hypothesis"),
        QT_TRANSLATE_NOOP("UtteranceModel", "What was recognised"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Hypothesis B"),
        QT_TRANSLATE_NOOP("UtteranceModel", "What the other evaluation recognised"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "WER % B"),
        QT_TRANSLATE_NOOP("UtteranceModel", "The other evaluation's error rate") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "B − A"),
        QT_TRANSLATE_NOOP("UtteranceModel",
            "The other's error rate minus this one's: negative where the other is better") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Corrected"),
        QT_TRANSLATE_NOOP("UtteranceModel", "What the manifest's transcript is to be"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Quarantine"),
        QT_TRANSLATE_NOOP("UtteranceModel", "A new manifest leaves these out"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Outside the Tokenizer"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Words with a letter that no label has"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Same Text"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Rows of this text") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Same Sound"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Rows of this file and place in it") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "In the Other"),
        QT_TRANSLATE_NOOP("UtteranceModel", "The other manifest has its ID, or its sound"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Silence %"),
        QT_TRANSLATE_NOOP(
            "UtteranceModel", "Frames of 10 ms that are more than 40 dB below the loudest one") },
    ColumnHeader { QT_TRANSLATE_NOOP("UtteranceModel", "Clipped %"),
        QT_TRANSLATE_NOOP("UtteranceModel", "Samples at full scale") },
};

bool isCount(int column)
{
    return column == Row::Substitutions || column == Row::Deletions || column == Row::Insertions
        || column == Row::SameTexts || column == Row::SameSounds;
}

QString figureCell(const Row& row, int column)
{
    const double figure = row.figure(column);
    if (std::isnan(figure))
        return kNoFigure;
    const QString cell = QString::number(figure, 'f', isCount(column) ? 0 : 2);
    return column == Row::Difference && figure > 0 ? u'+' + cell : cell;
}

QString utteranceCell(const Row& row, int column)
{
    if (!Row::isText(column))
        return figureCell(row, column);
    const QString& text = row.text(column);
    return text.isEmpty() && column == Row::Speaker ? kNoFigure : text;
}

/// `rate`: the one that counts.
QVariant headerOf(const QString& rate, int column, int role)
{
    const bool isTitle = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
    if (column == Row::OtherRate && isTitle && rate == u"CER")
        return UtteranceModel::tr("CER % B");
    return headerValue(
        kUtteranceHeaders[static_cast<size_t>(column)], role, UtteranceModel::staticMetaObject);
}

/// The sign says it too: no need to tell colours apart.
QVariant differenceColor(const Row& row)
{
    if (std::isnan(row.difference) || row.difference == 0)
        return {};
    return toneColor(row.difference < 0 ? Tone::Good : Tone::Bad, QApplication::palette());
}

} // namespace

void UtteranceModel::setUtterances(UtteranceSetPtr set)
{
    ++m_number;
    beginResetModel();
    m_set = std::move(set);
    m_shown.clear();
    endResetModel();
    Q_EMIT headerDataChanged(Qt::Horizontal, Row::OtherRate, Row::OtherRate);
    ask();
}

void UtteranceModel::setFilter(const UtteranceFilter& filter)
{
    m_query.filter = filter;
    ask();
}

void UtteranceModel::sort(int column, Qt::SortOrder order)
{
    if (column == m_query.column && order == m_query.order)
        return;
    m_query.column = column;
    m_query.order = order;
    ask();
}

void UtteranceModel::ask()
{
    const int number = ++m_number;
    if (!m_set)
        return show({});
    const auto find = [set = m_set, query = m_query] { return shownUtterances(*set, query); };
    whenDone(QtConcurrent::run(find), this, [this, number](std::vector<int> rows) {
        if (number == m_number)
            show(std::move(rows));
    });
}

/// Not as a reset, after which the table would find new widths for its columns.
void UtteranceModel::show(std::vector<int> rows)
{
    m_isChanging = true;
    if (!m_shown.empty()) {
        beginRemoveRows({}, 0, rowCount() - 1);
        m_shown.clear();
        endRemoveRows();
    }
    if (!rows.empty()) {
        beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
        m_shown = std::move(rows);
        endInsertRows();
    }
    m_isChanging = false;
    Q_EMIT shown();
}

int UtteranceModel::rowOf(int utterance) const
{
    const auto found = std::find(m_shown.begin(), m_shown.end(), utterance);
    return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

const UtteranceRow& UtteranceModel::utteranceAt(int row) const
{
    return m_set->rows[static_cast<size_t>(m_shown[static_cast<size_t>(row)])];
}

int UtteranceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int UtteranceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Row::ColumnCount;
}

QVariant UtteranceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = utteranceAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return utteranceCell(row, column);
    case Qt::ToolTipRole:
        return Row::isText(column) ? plainTip(row.text(column)) : QVariant();
    case Qt::TextAlignmentRole:
        return headerData(column, Qt::Horizontal, role);
    case Qt::ForegroundRole:
        return column == Row::Difference ? differenceColor(row) : QVariant();
    default:
        return {};
    }
}

QVariant UtteranceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Row::ColumnCount)
        return {};
    return headerOf(m_set ? m_set->rate : QString(), section, role);
}

QByteArray utterancesCsv(
    const UtteranceSet& set, const std::vector<int>& shown, const std::vector<int>& hidden)
{
    const auto line = [&](auto cellOf) {
        QStringList cells;
        for (int column = 0; column < Row::ColumnCount; ++column)
            if (std::find(hidden.begin(), hidden.end(), column) == hidden.end())
                cells << csvField(cellOf(column));
        return cells.join(u',').toUtf8() + '\n';
    };
    QByteArray text
        = line([&](int column) { return headerOf(set.rate, column, Qt::DisplayRole).toString(); });
    for (const int row : shown)
        text += line([&](int column) {
            const Row& shownRow = set.rows[static_cast<size_t>(row)];
            if (Row::isText(column))
                return shownRow.text(column);
            const QString figure = figureCell(shownRow, column);
            return figure == kNoFigure ? QString() : figure;
        });
    return text;
}

} // namespace earwright::ui
