#include "ui/utterances/utterance_query.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <QCollator>
#include <QLocale>

namespace earwright::ui {

namespace {

/// Sorts the places by their keys; those without one go behind the others.
template <class Key>
void sortByKeys(
    std::vector<int>& shown, const std::vector<std::optional<Key>>& keys, Qt::SortOrder order)
{
    const auto keyOf
        = [&](int row) -> const std::optional<Key>& { return keys[static_cast<size_t>(row)]; };
    const auto middle = std::stable_partition(
        shown.begin(), shown.end(), [&](int row) { return keyOf(row).has_value(); });
    std::stable_sort(shown.begin(), middle, [&](int a, int b) {
        return order == Qt::AscendingOrder ? *keyOf(a) < *keyOf(b) : *keyOf(b) < *keyOf(a);
    });
}

void sortByFigure(std::vector<int>& shown, const UtteranceSet& set, const UtteranceQuery& query)
{
    std::vector<std::optional<double>> keys(set.rows.size());
    for (const int row : shown) {
        const double figure = set.rows[static_cast<size_t>(row)].figure(query.column);
        if (!std::isnan(figure))
            keys[static_cast<size_t>(row)] = figure;
    }
    sortByKeys(shown, keys, query.order);
}

void sortByText(std::vector<int>& shown, const UtteranceSet& set, const UtteranceQuery& query)
{
    QCollator collator(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale());
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    std::vector<std::optional<QCollatorSortKey>> keys(set.rows.size());
    for (const int row : shown) {
        const QString& text = set.rows[static_cast<size_t>(row)].text(query.column);
        if (!text.isEmpty())
            keys[static_cast<size_t>(row)] = collator.sortKey(text);
    }
    sortByKeys(shown, keys, query.order);
}

} // namespace

std::vector<int> shownUtterances(const UtteranceSet& set, const UtteranceQuery& query)
{
    std::vector<int> shown;
    for (size_t row = 0; row < set.rows.size(); ++row)
        if (query.filter.isAll() || query.filter.passes(set.rows[row]))
            shown.push_back(static_cast<int>(row));
    if (query.column < 0)
        return shown;
    UtteranceRow::isText(query.column) ? sortByText(shown, set, query)
                                       : sortByFigure(shown, set, query);
    return shown;
}

} // namespace earwright::ui
