#pragma once

#include <QTableView>

#include <vector>

namespace earwright::ui {

/// How tables write a figure that is not there.
inline const QString kNoFigure = QStringLiteral("–");

/// Whether some row has something to show in this column.
bool hasFigures(const QAbstractItemModel& model, int column);

/// A table to be read and copied, a row at a time. Ctrl+C, also in its menu, takes the selected
/// rows, or all where none is: what is shown, under the headers, as lines of tabs and as CSV.
/// Columns grow with what they hold and never shrink while the model is not reset: a live table
/// must not dance. GUI thread only.
class FigureTable final : public QTableView {
    Q_OBJECT
public:
    explicit FigureTable(QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Columns that are there only while some row has something in them.
    void setHiddenWhenEmpty(const std::vector<int>& columns);

private:
    void followModel();
    void followRows(int first, int last); ///< whose cells changed
    void hideEmptyColumns();
    void fitColumns();
    void copy() const;
    QStringList shownCells(int row) const; ///< row -1 = the header

    std::vector<int> m_hiddenWhenEmpty;
    bool m_isFitted = false; ///< columns have had their first widths
};

} // namespace earwright::ui
