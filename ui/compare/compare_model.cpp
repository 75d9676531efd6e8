#include "ui/compare/compare_model.h"

#include "core/base/text.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_export.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QHash>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace earwright::ui {

namespace {

/// Figures at the right, words at the left, headers above them.
Qt::Alignment alignmentOf(int column)
{
    const bool isFigure = column > 0 && compareColumns()[static_cast<size_t>(column - 1)].number;
    return (isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

RunFigures figuresOfRun(const CompareRun& run)
{
    RunFigures figures = run.snapshot ? figuresOf(*run.snapshot) : RunFigures();
    figures.differs = run.differs;
    return figures;
}

} // namespace

CompareModel::CompareModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void CompareModel::setRuns(const std::vector<CompareRun>& runs)
{
    const auto isSameRun
        = [](const Row& row, const CompareRun& run) { return row.run.path == run.path; };
    const bool isSame
        = std::equal(m_rows.begin(), m_rows.end(), runs.begin(), runs.end(), isSameRun);
    if (!isSame)
        beginResetModel();
    QHash<QString, Row> known;
    for (Row& row : m_rows)
        known.insert(row.run.path, std::move(row));
    m_rows.clear();
    for (const CompareRun& run : runs) {
        const Row before = known.take(run.path);
        const bool isKnown = run.snapshot && before.run.snapshot == run.snapshot;
        m_rows.push_back({ run, isKnown ? before.figures : figuresOfRun(run) });
        m_rows.back().figures.differs = run.differs;
    }
    findBaseline();
    if (!isSame)
        endResetModel();
    else if (!m_rows.empty())
        tellRows(0, m_rows.size() - 1);
}

void CompareModel::setSnapshots(
    const std::map<size_t, std::shared_ptr<const run::Snapshot>>& snapshots)
{
    if (snapshots.empty())
        return;
    for (const auto& [row, snapshot] : snapshots) {
        m_rows[row].run.snapshot = snapshot;
        m_rows[row].figures = figuresOfRun(m_rows[row].run);
    }
    // What the others are against the baseline changes with it.
    if (m_baselineRow && snapshots.contains(*m_baselineRow))
        tellRows(0, m_rows.size() - 1);
    else
        tellRows(snapshots.begin()->first, snapshots.rbegin()->first);
}

void CompareModel::tellRows(size_t first, size_t last)
{
    Q_EMIT dataChanged(
        index(static_cast<int>(first), 0), index(static_cast<int>(last), columnCount() - 1));
}

void CompareModel::findBaseline()
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
        [this](const Row& row) { return row.run.path == m_baseline; });
    m_baselineRow = found == m_rows.end()
        ? std::nullopt
        : std::optional(static_cast<size_t>(found - m_rows.begin()));
}

void CompareModel::setBaseline(const QString& path)
{
    if (path == m_baseline)
        return;
    m_baseline = path;
    findBaseline();
    if (!m_rows.empty())
        tellRows(0, m_rows.size() - 1);
}

int CompareModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(compareColumns().size());
}

QVariant CompareModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    if (role == PathRole)
        return row.run.path;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(alignmentOf(index.column()));
    if (index.column() == 0)
        return nameData(row, role);
    return figureData(row, compareColumns()[static_cast<size_t>(index.column() - 1)], role);
}

QVariant CompareModel::nameData(const Row& row, int role) const
{
    const bool isBaseline = row.run.path == m_baseline;
    if (role == Qt::DisplayRole)
        return isBaseline ? tr("%1 (baseline)").arg(row.run.name) : row.run.name;
    if (role == SortRole)
        return row.run.name;
    if (role == Qt::DecorationRole)
        return colorDot(row.run.color, 12, qApp->devicePixelRatio());
    if (role == Qt::ToolTipRole)
        return plainTip(row.run.path);
    if (role == Qt::FontRole && isBaseline) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant CompareModel::figureData(const Row& row, const CompareColumn& column, int role) const
{
    const auto number = column.number ? column.number(row.figures) : std::nullopt;
    if (role == SortRole)
        return column.number ? (number ? QVariant(*number) : QVariant())
                             : QVariant(column.text(row.figures));
    if (role == Qt::ForegroundRole)
        return deltaColor(row, column);
    if (role != Qt::DisplayRole)
        return {};
    if (!column.number)
        return column.text(row.figures);
    if (!number)
        return kNoFigure;
    const QString delta = row.run.path == m_baseline
        ? QString()
        : deltaText(column, number, baselineNumber(column));
    return delta.isEmpty() ? column.format(*number)
                           : QStringLiteral("%1  (%2)").arg(column.format(*number), delta);
}

std::optional<double> CompareModel::baselineNumber(const CompareColumn& column) const
{
    return m_baselineRow && column.number ? column.number(m_rows[*m_baselineRow].figures)
                                          : std::nullopt;
}

QVariant CompareModel::deltaColor(const Row& row, const CompareColumn& column) const
{
    const auto number = column.number ? column.number(row.figures) : std::nullopt;
    const auto baseline = baselineNumber(column);
    if (number && !std::isfinite(*number))
        return toneColor(Tone::Bad, QApplication::palette());
    if (!number || !baseline || column.better == 0 || *number == *baseline
        || row.run.path == m_baseline)
        return {};
    const bool isBetter = (*number > *baseline) == (column.better > 0);
    return toneColor(isBetter ? Tone::Good : Tone::Warning, QApplication::palette());
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(alignmentOf(section));
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return QAbstractTableModel::headerData(section, orientation, role);
    if (section == 0)
        return tr("Run");
    const CompareColumn& column = compareColumns()[static_cast<size_t>(section - 1)];
    const char* text = role == Qt::DisplayRole ? column.title : column.help;
    return *text ? QVariant(tr(text)) : QVariant();
}

std::vector<int> columnsHiddenWhenEmpty()
{
    std::vector<int> columns;
    for (size_t i = 0; i < compareColumns().size(); ++i) {
        if (compareColumns()[i].isHiddenWhenEmpty)
            columns.push_back(static_cast<int>(i) + 1);
    }
    return columns;
}

QByteArray tableToCsv(const CompareModel& model)
{
    std::vector<int> columns(static_cast<size_t>(model.columnCount()));
    std::iota(columns.begin(), columns.end(), 0);
    for (const int column : columnsHiddenWhenEmpty()) {
        if (!hasFigures(model, column))
            std::erase(columns, column);
    }
    QStringList lines;
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList fields;
        for (const int column : columns) {
            const QVariant value = row < 0 ? model.headerData(column, Qt::Horizontal)
                                           : model.index(row, column).data(CompareModel::SortRole);
            const bool isNumber = value.typeId() == QMetaType::Double;
            fields.append(isNumber
                    ? QString::fromStdString(formatDouble(value.toDouble()))
                    : csvField(row < 0 ? value.toString().simplified() : value.toString()));
        }
        lines.append(fields.join(QLatin1Char(',')) + QLatin1Char('\n'));
    }
    return lines.join(QString()).toUtf8();
}

} // namespace earwright::ui
