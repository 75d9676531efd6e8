#pragma once

#include "core/language/symbols.h"

#include <memory>
#include <QAbstractItemModel>

namespace earwright::ui {

using SymbolsPtr = std::shared_ptr<const std::vector<language::Symbol>>;

/// The keys of a recipe as a tree. Column 0 is the name, 1 what it holds.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Detail, ColumnCount };
    enum Role { PathRole = Qt::UserRole, PositionRole }; ///< PositionRole: a recipe::Position

    explicit OutlineModel(QObject* parent = nullptr);

    /// Where only places and details changed the rows stay, and with them what is open and
    /// selected; otherwise the tree is made anew.
    void setSymbols(const SymbolsPtr& symbols);
    QModelIndex indexAt(recipe::Position caret) const; ///< of the innermost key that holds it
    const language::Symbol& at(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Item {
        const language::Symbol* symbol = nullptr;
        int parent = -1;
        int row = 0;
        int numChildren = 0;
        int firstChild = 0; ///< its children lie one behind the other in m_items
    };
    static std::vector<Item> itemsOf(const std::vector<language::Symbol>& symbols);
    const Item& item(const QModelIndex& index) const
    {
        return m_items[static_cast<size_t>(index.internalId())];
    }
    bool hasSameRows(const std::vector<Item>& other) const;

    SymbolsPtr m_symbols;
    std::vector<Item> m_items; ///< breadth first; 0 = the root, which is not shown
};

} // namespace earwright::ui

Q_DECLARE_METATYPE(earwright::recipe::Position)
