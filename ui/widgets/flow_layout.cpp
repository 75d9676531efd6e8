#include "ui/widgets/flow_layout.h"

#include <QWidget>

#include <algorithm>
#include <numeric>
#include <utility>

namespace earwright::ui {

FlowLayout::FlowLayout(Rows rows, QSize gaps, QWidget* parent)
    : QLayout(parent)
    , m_rows(rows)
    , m_gaps(gaps)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    while (QLayoutItem* item = FlowLayout::takeAt(0))
        delete item;
}

void FlowLayout::insertWidget(int index, QWidget* widget)
{
    addWidget(widget);
    std::rotate(m_items.begin() + index, m_items.end() - 1, m_items.end());
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.push_back(item);
    invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    QLayoutItem* item = itemAt(index);
    if (item)
        m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::hintOf(size_t item, int most) const
{
    return std::min(m_items[item]->sizeHint().width(), most);
}

std::vector<FlowLayout::Row> FlowLayout::rowsFor(int width) const
{
    return m_rows == Rows::Full ? fullRows(width) : evenRows(width);
}

std::vector<FlowLayout::Row> FlowLayout::fullRows(int width) const
{
    std::vector<Row> rows;
    int left = 0;
    for (size_t i = 0; i < m_items.size(); ++i) {
        const int wanted = hintOf(i, width);
        if (rows.empty() || left + wanted > width) {
            rows.push_back({ .first = i });
            left = 0;
        }
        const bool isRight = m_items[i]->alignment().testFlag(Qt::AlignRight);
        rows.back().lefts.push_back(isRight ? width - wanted : left);
        rows.back().widths.push_back(wanted);
        left = isRight ? width : left + wanted + m_gaps.width();
    }
    return rows;
}

/// Of each column, what its widest item wants.
std::vector<int> FlowLayout::columnWidths(size_t columns, int most) const
{
    std::vector<int> widths(columns, 0);
    for (size_t i = 0; i < m_items.size(); ++i)
        widths[i % columns] = std::max(widths[i % columns], hintOf(i, most));
    return widths;
}

/// The fewest rows that fit, and of these the fewest columns: the last row is nearly as long.
std::vector<FlowLayout::Row> FlowLayout::evenRows(int width) const
{
    const size_t count = m_items.size();
    std::vector<int> columns;
    int spare = 0;
    for (size_t numRows = 1; numRows <= count; ++numRows) {
        const size_t numColumns = (count + numRows - 1) / numRows;
        columns = columnWidths(numColumns, width);
        spare = width - std::accumulate(columns.begin(), columns.end(), 0)
            - m_gaps.width() * static_cast<int>(numColumns - 1);
        if (spare >= 0)
            break;
    }
    std::vector<Row> rows;
    for (size_t i = 0; i < count; ++i) {
        const size_t column = i % columns.size();
        if (column == 0)
            rows.push_back({ .first = i });
        Row& row = rows.back();
        const int share = std::max(0, spare) / static_cast<int>(columns.size());
        row.lefts.push_back(
            column == 0 ? 0 : row.lefts.back() + row.widths.back() + m_gaps.width());
        row.widths.push_back(columns[column] + share);
    }
    return rows;
}

int FlowLayout::heightOf(const Row& row) const
{
    int height = 0;
    for (size_t i = 0; i < row.lefts.size(); ++i)
        height = std::max(height, m_items[row.first + i]->sizeHint().height());
    return height;
}

int FlowLayout::heightForWidth(int width) const
{
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom();
    const std::vector<Row> rows = rowsFor(width - margins.left() - margins.right());
    for (const Row& row : rows)
        height += heightOf(row);
    return height + m_gaps.height() * std::max(0, static_cast<int>(rows.size()) - 1);
}

QSize FlowLayout::minimumSize() const
{
    QSize least;
    for (const QLayoutItem* item : m_items)
        least = least.expandedTo(item->minimumSize());
    least = least.grownBy(contentsMargins());
    return { least.width(), std::max(least.height(), m_leastHeight) };
}

/// All in one row.
QSize FlowLayout::sizeHint() const
{
    QSize size(m_gaps.width() * std::max(0, count() - 1), 0);
    for (const QLayoutItem* item : m_items)
        size = { size.width() + item->sizeHint().width(),
            std::max(size.height(), item->sizeHint().height()) };
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    const QRect inner = area.marginsRemoved(contentsMargins());
    int top = inner.top();
    for (const Row& row : rowsFor(inner.width())) {
        const int height = heightOf(row);
        for (size_t i = 0; i < row.lefts.size(); ++i)
            m_items[row.first + i]->setGeometry(
                { inner.left() + row.lefts[i], top, row.widths[i], height });
        top += height + m_gaps.height();
    }
    const int least = heightForWidth(area.width());
    if (std::exchange(m_leastHeight, least) != least)
        parentWidget()->updateGeometry();
}

} // namespace earwright::ui
