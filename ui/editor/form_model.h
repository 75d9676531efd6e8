#pragma once

#include "core/language/form.h"

#include <QAbstractItemModel>

namespace earwright::ui {

/// The settings of a recipe by section. It holds no value of its own: an edit is a signal, and what
/// came of it arrives with the next sections.
class FormModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Setting, Value, Unit, About, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Rows that are still there stay, and with them what is selected and edited.
    void setSections(std::vector<language::FormSection> sections);
    const language::FormRow* rowAt(const QModelIndex& index) const; ///< null for a section
    QModelIndex find(const QString& path) const; ///< its value; invalid where there is none

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void edited(const QString& path, const QString& text);

private:
    bool hasSameTitles(const std::vector<language::FormSection>& other) const;
    void updateRows(int section, std::vector<language::FormRow> rows);

    std::vector<language::FormSection> m_sections;
};

/// "1 to 200", "at least 0"; "" where there is no bound.
QString rangeText(const catalog::FieldFacts& facts);
/// Whether the setting is a switch.
bool isSwitch(const language::FormRow& row);

} // namespace earwright::ui
