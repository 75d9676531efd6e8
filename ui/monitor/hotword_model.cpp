#include "ui/monitor/hotword_model.h"

#include "ui/widgets/column_header.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"

#include <algorithm>
#include <array>

namespace earwright::ui {

namespace {

constexpr std::array<ColumnHeader, HotwordModel::ColumnCount> kHotwordHeaders {
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Hotword"), "", true },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "In training"),
        QT_TRANSLATE_NOOP("HotwordModel", "Whether a training text has it"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Spoken"),
        QT_TRANSLATE_NOOP("HotwordModel", "How often it is in the reference texts") },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Heard"),
        QT_TRANSLATE_NOOP("HotwordModel", "How often it was recognised") },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Right"),
        QT_TRANSLATE_NOOP("HotwordModel", "How often it was recognised where it was spoken") },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Recall %"),
        QT_TRANSLATE_NOOP("HotwordModel", "Right of spoken") },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "Precision %"),
        QT_TRANSLATE_NOOP("HotwordModel", "Right of heard") },
    ColumnHeader { QT_TRANSLATE_NOOP("HotwordModel", "F1 %"),
        QT_TRANSLATE_NOOP("HotwordModel", "Harmonic mean of recall and precision") },
};

QVariant value(std::optional<double> percent)
{
    return percent ? QVariant(*percent) : QVariant();
}

/// A text, a count or a percentage; nothing where there is none.
QVariant valueOf(const PhraseCount& phrase, int column)
{
    switch (column) {
    case HotwordModel::Phrase:
        return phrase.phrase;
    case HotwordModel::Training:
        return phrase.isUnseen ? HotwordModel::tr("unseen") : HotwordModel::tr("seen");
    case HotwordModel::Spoken:
        return static_cast<qlonglong>(phrase.spoken);
    case HotwordModel::Heard:
        return static_cast<qlonglong>(phrase.heard);
    case HotwordModel::Right:
        return static_cast<qlonglong>(phrase.right);
    case HotwordModel::Recall:
        return value(phrase.figures().recall);
    case HotwordModel::Precision:
        return value(phrase.figures().precision);
    default:
        return value(phrase.figures().f1);
    }
}

QString cellOf(const QVariant& value)
{
    if (!value.isValid())
        return kNoFigure;
    return value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'f', 2)
                                               : value.toString();
}

} // namespace

bool HotwordModel::hasPhrasesOf(const HotwordTablePtr& other) const
{
    return m_table && other
        && std::equal(m_table->phrases.begin(), m_table->phrases.end(), other->phrases.begin(),
            other->phrases.end(),
            [](const PhraseCount& a, const PhraseCount& b) { return a.phrase == b.phrase; });
}

void HotwordModel::setTable(HotwordTablePtr table)
{
    if (table == m_table)
        return;
    if (hasPhrasesOf(table)) {
        m_table = std::move(table);
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int HotwordModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->phrases.size());
}

int HotwordModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HotwordModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PhraseCount& phrase = m_table->phrases[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cellOf(valueOf(phrase, index.column()));
    case SortRole:
        return valueOf(phrase, index.column());
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole:
        return index.column() == Phrase ? QVariant(plainTip(phrase.phrase)) : QVariant();
    default:
        return {};
    }
}

QVariant HotwordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return headerValue(kHotwordHeaders[static_cast<size_t>(section)], role, staticMetaObject);
}

} // namespace earwright::ui
