#include "ui/widgets/figure_sort.h"

#include <QLocale>

#include <cmath>

namespace earwright::ui {

namespace {

enum class Figure { Finite, Infinite, NoNumber, Missing };

bool isText(const QVariant& value)
{
    return value.typeId() == QMetaType::QString;
}

Figure figureOf(const QVariant& value)
{
    if (!value.isValid() || (isText(value) && value.toString().isEmpty()))
        return Figure::Missing;
    const double number = isText(value) ? 0 : value.toDouble();
    return std::isfinite(number) ? Figure::Finite
        : std::isnan(number)     ? Figure::NoNumber
                                 : Figure::Infinite;
}

} // namespace

FigureSort::FigureSort(QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_collator(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale())
{
    m_collator.setNumericMode(true);
    m_collator.setCaseSensitivity(Qt::CaseInsensitive);
}

bool FigureSort::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    const Figure kindA = figureOf(a);
    const Figure kindB = figureOf(b);
    if (kindA != kindB) // descending, Qt asks whether the second is less
        return (kindA < kindB) == (sortOrder() == Qt::AscendingOrder);
    if (kindA != Figure::Finite)
        return false;
    return isText(a) ? m_collator.compare(a.toString(), b.toString()) < 0
                     : a.toDouble() < b.toDouble();
}

} // namespace earwright::ui
