#pragma once

#include <QLayout>

#include <vector>

namespace earwright::ui {

/// Widgets in rows that go on below where the width ends, each as wide as it wants to be.
class FlowLayout final : public QLayout {
    Q_OBJECT
public:
    enum class Rows {
        Full, ///< as many widgets in each as fit; one aligned to the right ends its row there
        Even ///< as many in each, in columns that share the width
    };
    FlowLayout(Rows rows, QSize gaps, QWidget* parent);
    ~FlowLayout() override;

    /// At a place among the others.
    void insertWidget(int index, QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& area) override;

private:
    /// A row: where each of its items begins, from the left, and how wide it may be.
    struct Row {
        size_t first = 0;
        std::vector<int> lefts {};
        std::vector<int> widths {};
    };
    int hintOf(size_t item, int most) const;
    std::vector<Row> rowsFor(int width) const;
    std::vector<Row> fullRows(int width) const;
    std::vector<Row> evenRows(int width) const;
    std::vector<int> columnWidths(size_t columns, int most) const;
    int heightOf(const Row& row) const;

    Rows m_rows;
    QSize m_gaps; ///< between items, and between rows
    std::vector<QLayoutItem*> m_items;
    int m_leastHeight = 0; ///< at the width it has: windows ask no layout for another
};

} // namespace earwright::ui
