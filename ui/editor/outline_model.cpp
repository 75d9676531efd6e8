#include "ui/editor/outline_model.h"

#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QApplication>

namespace earwright::ui {

OutlineModel::OutlineModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_symbols(std::make_shared<std::vector<language::Symbol>>())
    , m_items(itemsOf(*m_symbols))
{
}

std::vector<OutlineModel::Item> OutlineModel::itemsOf(const std::vector<language::Symbol>& symbols)
{
    std::vector<Item> items { { .numChildren = static_cast<int>(symbols.size()),
        .firstChild = 1 } };
    for (size_t i = 0; i < symbols.size(); ++i)
        items.push_back({ .symbol = &symbols[i], .parent = 0, .row = static_cast<int>(i) });
    for (size_t at = 1; at < items.size(); ++at) {
        const std::vector<language::Symbol>& children = items[at].symbol->children;
        items[at].firstChild = static_cast<int>(items.size());
        items[at].numChildren = static_cast<int>(children.size());
        for (size_t i = 0; i < children.size(); ++i)
            items.push_back({ .symbol = &children[i],
                .parent = static_cast<int>(at),
                .row = static_cast<int>(i) });
    }
    return items;
}

bool OutlineModel::hasSameRows(const std::vector<Item>& other) const
{
    return std::equal(m_items.begin(), m_items.end(), other.begin(), other.end(),
        [](const Item& a, const Item& b) {
            return a.parent == b.parent && a.numChildren == b.numChildren
                && (!a.symbol || a.symbol->name == b.symbol->name);
        });
}

void OutlineModel::setSymbols(const SymbolsPtr& symbols)
{
    std::vector<Item> items = itemsOf(*symbols);
    const bool isSame = hasSameRows(items);
    if (!isSame)
        beginResetModel();
    m_items = std::move(items);
    m_symbols = symbols;
    if (!isSame)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, Detail));
}

const language::Symbol& OutlineModel::at(const QModelIndex& index) const
{
    return *item(index).symbol;
}

QModelIndex OutlineModel::indexAt(recipe::Position caret) const
{
    QModelIndex found;
    for (;;) {
        const int count = rowCount(found);
        int row = 0;
        while (row < count && at(index(row, 0, found)).span.end < caret)
            ++row;
        if (row == count || at(index(row, 0, found)).span.begin > caret)
            return found;
        found = index(row, 0, found);
    }
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    const Item& above = parent.isValid() ? item(parent) : m_items.front();
    if (row < 0 || row >= above.numChildren || column < 0 || column >= ColumnCount)
        return {};
    return createIndex(row, column, static_cast<quintptr>(above.firstChild + row));
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const
{
    const int parent = child.isValid() ? item(child).parent : 0;
    if (parent <= 0)
        return {};
    return createIndex(m_items[static_cast<size_t>(parent)].row, 0, static_cast<quintptr>(parent));
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return 0;
    return parent.isValid() ? item(parent).numChildren : m_items.front().numChildren;
}

int OutlineModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const language::Symbol& symbol = at(index);
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(index.column() == Name ? symbol.name : symbol.detail);
    case Qt::ForegroundRole:
        return index.column() == Detail ? QVariant(toneColor(Tone::Muted, QApplication::palette()))
                                        : QVariant();
    case Qt::ToolTipRole:
        return plainTip(QString::fromStdString(symbol.path));
    case PathRole:
        return QString::fromStdString(symbol.path);
    case PositionRole:
        return QVariant::fromValue(symbol.nameSpan.begin);
    default:
        return {};
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Key") : tr("Value");
}

} // namespace earwright::ui
