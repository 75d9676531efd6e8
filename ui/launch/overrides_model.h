#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace earwright::ui {

/// Settings that replace the recipe's for one run. The last row is always empty: typing there adds
/// one; emptying a key removes it.
class OverridesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Key, Value, ColumnCount };

    explicit OverridesModel(QObject* parent = nullptr);

    QStringList overrides() const; ///< "lr=0.01"
    void setOverrides(const QStringList& overrides);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool removeRows(int row, int count, const QModelIndex& parent = {}) override;

Q_SIGNALS:
    void overridesChanged();

private:
    struct Row {
        QString key;
        QString value;
    };
    bool isBlank(int row) const { return row == static_cast<int>(m_rows.size()); }
    void fillBlank(const Row& row);

    std::vector<Row> m_rows;
    bool m_hasBlank = true; ///< but for the moment between one that is filled and the next
};

/// Why "key=value" cannot be read; "" where it can.
QString overrideError(const QString& key, const QString& value);

} // namespace earwright::ui
