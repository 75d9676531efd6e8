#pragma once

#include "core/recipe/node.h"

#include <QAbstractTableModel>
#include <QString>
#include <QWidget>
#include <vector>

class QLabel;
class QTreeView;

namespace earwright::ui {

class HintedView;

/// A place that names a key, and the line it stands in.
struct Usage {
    recipe::Span span;
    QString line;

    bool operator==(const Usage& other) const;
};

class UsagesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, Line, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setUsages(std::vector<Usage> usages);
    const std::vector<Usage>& usages() const { return m_usages; }
    const Usage& at(int row) const { return m_usages[static_cast<size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<Usage> m_usages;
};

/// Where a key is used: Enter or a click jumps there.
class UsagesPanel final : public QWidget {
    Q_OBJECT
public:
    explicit UsagesPanel(QWidget* parent = nullptr);

    /// Shows them and takes the keyboard.
    void showUsages(const QString& name, const std::vector<Usage>& usages);
    /// Those shown, after a change of the text.
    void refresh(const QString& name, const std::vector<Usage>& usages);

Q_SIGNALS:
    void activated(const earwright::recipe::Span& place);

private:
    UsagesModel* m_model;
    QLabel* m_title;
    QTreeView* m_view;
    HintedView* m_hinted = nullptr;
};

} // namespace earwright::ui
