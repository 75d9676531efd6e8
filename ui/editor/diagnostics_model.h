#pragma once

#include "core/recipe/diagnostic.h"

#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace earwright::ui {

/// The diagnostics of one recipe, as the problems list shows them.
class DiagnosticsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Message, Place, Rule, ColumnCount };
    /// Messages sort by severity first, places by line and column.
    static constexpr int SortRole = Qt::UserRole;

    explicit DiagnosticsModel(QObject* parent = nullptr);

    void setDiagnostics(const QString& fileName, std::vector<recipe::Diagnostic> diagnostics);
    const recipe::Diagnostic& at(int row) const { return m_diagnostics[static_cast<size_t>(row)]; }
    int errorCount() const;
    bool isChecked() const { return m_isChecked; } ///< false until a check has come to its end

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant sortKey(const recipe::Diagnostic& diagnostic, int column) const;
    QVariant text(const recipe::Diagnostic& diagnostic, int column) const;

    bool m_isChecked = false;
    QString m_fileName;
    std::vector<recipe::Diagnostic> m_diagnostics;
};

QString severityName(recipe::Severity severity);

} // namespace earwright::ui
