#pragma once

#include "ui/editor/line_diff.h"

#include <QAbstractTableModel>
#include <QDialog>

namespace earwright::ui {

/// What differs between two texts, line by line, with three lines around each change.
class TextDiffModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Left, Right, Line, ColumnCount };

    TextDiffModel(const QString& left, const QString& right, QObject* parent);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<DiffLine> m_lines; ///< {0, 0} = lines left out here
};

/// Shows it; `left` and `right` name the texts in the title.
class TextDiffDialog final : public QDialog {
    Q_OBJECT
public:
    struct Text {
        QString name;
        QString text;
    };
    TextDiffDialog(const Text& left, const Text& right, QWidget* parent);

    /// What differs between the text of a page and another.
    static void showBeside(const QString& here, const Text& other, QWidget* page);
};

} // namespace earwright::ui
