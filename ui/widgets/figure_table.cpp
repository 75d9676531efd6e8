#include "ui/widgets/figure_table.h"

#include "core/base/sheet_text.h"
#include "ui/widgets/plot_export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMimeData>

#include <algorithm>
#include <numeric>
#include <vector>

namespace earwright::ui {

namespace {

constexpr int kColumnPadding = 10;
constexpr int kRowPadding = 9;
constexpr int kManyRows = 200;
constexpr int kMeasuredOfMany = 60; ///< for the widths of the columns
constexpr int kWidestName = 260; ///< what a row is of stands in the first column

bool isFigure(const QString& text)
{
    return !text.isEmpty() && text != kNoFigure;
}

/// A cell as one line of text; row -1 is the header.
QString cellText(const QAbstractItemModel& model, int row, int column)
{
    const QString text = row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                                 : model.index(row, column).data().toString();
    return isFigure(text) ? text.simplified() : QString();
}

bool hasFigures(const QAbstractItemModel& model, int column, int first, int last)
{
    for (int row = first; row <= last; ++row) {
        if (isFigure(model.index(row, column).data().toString()))
            return true;
    }
    return false;
}

QString asCsv(QStringList cells)
{
    for (QString& cell : cells)
        cell = csvField(cell);
    return cells.join(QLatin1Char(','));
}

} // namespace

bool hasFigures(const QAbstractItemModel& model, int column)
{
    return hasFigures(model, column, 0, model.rowCount() - 1);
}

FigureTable::FigureTable(QWidget* parent)
    : QTableView(parent)
{
    setSelectionBehavior(SelectRows);
    setTabKeyNavigation(false); // Tab leaves: arrows move from cell to cell
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* copyRows = new QAction(tr("&Copy"), this);
    copyRows->setShortcut(QKeySequence::Copy);
    copyRows->setShortcutContext(Qt::WidgetShortcut);
    connect(copyRows, &QAction::triggered, this, &FigureTable::copy);
    addAction(copyRows);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void FigureTable::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        m_isFitted = false;
        followModel();
    });
    connect(model, &QAbstractItemModel::rowsInserted, this, &FigureTable::followModel);
    connect(model, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex& first, const QModelIndex& last) {
            followRows(first.row(), last.row());
        });
    followModel();
}

void FigureTable::setHiddenWhenEmpty(const std::vector<int>& columns)
{
    m_hiddenWhenEmpty = columns;
    followModel();
}

void FigureTable::followModel()
{
    hideEmptyColumns();
    fitColumns();
}

/// Of thousands of rows a few change at a time: a hidden column can only come by these.
void FigureTable::followRows(int first, int last)
{
    for (const int column : m_hiddenWhenEmpty) {
        const bool isFound = hasFigures(*model(), column, first, last);
        if (isColumnHidden(column) ? isFound : !isFound)
            setColumnHidden(column, !isFound && !hasFigures(*model(), column));
    }
    fitColumns();
}

void FigureTable::hideEmptyColumns()
{
    for (const int column : m_hiddenWhenEmpty)
        setColumnHidden(column, !hasFigures(*model(), column));
}

void FigureTable::fitColumns()
{
    QHeaderView& header = *horizontalHeader();
    if (model()->rowCount() > kManyRows)
        header.setResizeContentsPrecision(
            std::min(header.resizeContentsPrecision(), kMeasuredOfMany));
    // QTableView hides what every view offers.
    const QAbstractItemView* view = this;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const int wanted = std::max(horizontalHeader()->sectionSizeHint(column),
            view->sizeHintForColumn(column) + kColumnPadding);
        const int most = column == 0 ? kWidestName : wanted;
        if (wanted > columnWidth(column) || !m_isFitted)
            setColumnWidth(column, std::min(most, wanted));
    }
    m_isFitted = model()->rowCount() > 0;
}

void FigureTable::copy() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    if (rows.empty()) {
        rows.resize(static_cast<size_t>(model()->rowCount()));
        std::iota(rows.begin(), rows.end(), 0);
    }
    std::sort(rows.begin(), rows.end());
    rows.insert(rows.begin(), -1);
    QString text, csv;
    for (const int row : rows) {
        QStringList cells = shownCells(row);
        csv += asCsv(cells) + QLatin1Char('\n');
        for (QString& cell : cells) // spreadsheets take the text
            cell = QString::fromStdString(sheetText(cell.toStdString()));
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    auto* copied = new QMimeData;
    copied->setText(text);
    copied->setData(QStringLiteral("text/csv"), csv.toUtf8());
    QApplication::clipboard()->setMimeData(copied);
}

QStringList FigureTable::shownCells(int row) const
{
    QStringList cells;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (!isColumnHidden(column))
            cells << cellText(*model(), row, column);
    }
    return cells;
}

} // namespace earwright::ui
