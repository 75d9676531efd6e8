#include "ui/compare/report_table.h"

#include "ui/widgets/figure_table.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kRow = 26;
constexpr int kTwoLineHeader = 38;
constexpr int kCellPadding = 20;
constexpr int kGap = 10; ///< between two tables
constexpr int kNameColumn = 0;

/// Some columns of the model, the runs' names first.
using Table = std::vector<int>;

QString cellText(const CompareModel& model, int row, int column)
{
    return row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                   : model.index(row, column).data().toString();
}

std::vector<Table> tablesOf(const CompareModel& model)
{
    Table figures, hotwords { kNameColumn };
    for (int column = 0; column < model.columnCount(); ++column) {
        const bool isApart = column != kNameColumn
            && compareColumns()[static_cast<size_t>(column - 1)].isOfHotwords;
        if (hasFigures(model, column))
            (isApart ? hotwords : figures).push_back(column);
    }
    std::vector<Table> tables { figures };
    if (hotwords.size() > 1)
        tables.push_back(hotwords);
    return tables;
}

int headerHeight(const CompareModel& model, const Table& table)
{
    const bool hasTwoLines = std::any_of(table.begin(), table.end(),
        [&](int column) { return cellText(model, -1, column).contains(QLatin1Char('\n')); });
    return hasTwoLines ? kTwoLineHeader : kRow;
}

/// As wide as their text, all in all as wide as the page.
std::vector<int> widthsOf(
    const CompareModel& model, const Table& table, const QFontMetrics& metrics, int pageWidth)
{
    std::vector<int> widths;
    int total = 0;
    for (const int column : table) {
        int width = 0;
        for (int row = -1; row < model.rowCount(); ++row)
            width = std::max(
                width, metrics.size(0, cellText(model, row, column)).width() + kCellPadding);
        widths.push_back(width);
        total += width;
    }
    for (int& width : widths)
        width = width * pageWidth / std::max(1, total);
    return widths;
}

/// Each line of the text cut in its middle where it is too long.
QString fitted(const QString& text, const QFontMetrics& metrics, int width)
{
    QStringList lines = text.split(QLatin1Char('\n'));
    for (QString& line : lines)
        line = metrics.elidedText(line, Qt::ElideMiddle, width);
    return lines.join(QLatin1Char('\n'));
}

/// `row`: the whole row's place; -1 is the header.
void paintRow(QPainter& painter, const CompareModel& model, const Table& table,
    const std::vector<int>& widths, std::pair<int, QRect> row)
{
    int left = row.second.left();
    for (size_t i = 0; i < table.size(); ++i) {
        const QRect cell
            = QRect(left, row.second.top(), widths[i], row.second.height()).adjusted(8, 0, -8, 0);
        const auto alignment = model.headerData(table[i], Qt::Horizontal, Qt::TextAlignmentRole);
        painter.drawText(cell, static_cast<int>(alignment.value<Qt::Alignment>().toInt()),
            fitted(cellText(model, row.first, table[i]), painter.fontMetrics(), cell.width()));
        left += widths[i];
    }
    painter.setPen(lightPalette().color(QPalette::Mid));
    painter.drawLine(row.second.bottomLeft(), row.second.bottomRight());
}

} // namespace

int tablesHeight(const CompareModel& model)
{
    int height = -kGap;
    for (const Table& table : tablesOf(model))
        height += kGap + headerHeight(model, table) + kRow * model.rowCount();
    return height;
}

void paintTables(QPainter& painter, const CompareModel& model, const std::vector<CompareRun>& runs,
    int pageWidth)
{
    painter.save();
    QFont small = painter.font();
    small.setPixelSize(11);
    painter.setFont(small);
    QRect row(0, 0, pageWidth, 0);
    for (const Table& table : tablesOf(model)) {
        const auto widths = widthsOf(model, table, QFontMetrics(small), pageWidth);
        row.setHeight(headerHeight(model, table));
        painter.setPen(lightPalette().color(QPalette::PlaceholderText));
        paintRow(painter, model, table, widths, { -1, row });
        for (int i = 0; i < model.rowCount(); ++i) {
            row = QRect(0, row.bottom() + 1, pageWidth, kRow);
            painter.fillRect(
                QRect(-8, row.top() + 6, 5, kRow - 12), runs[static_cast<size_t>(i)].color);
            painter.setPen(lightPalette().color(QPalette::Text));
            paintRow(painter, model, table, widths, { i, row });
        }
        row.moveTop(row.bottom() + 1 + kGap);
    }
    painter.restore();
}

} // namespace earwright::ui
