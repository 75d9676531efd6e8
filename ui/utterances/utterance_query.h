#pragma once

#include "ui/utterances/utterance_filter.h"

#include <vector>

namespace earwright::ui {

/// What a table of utterances shows, and in which order.
struct UtteranceQuery {
    UtteranceFilter filter {};
    int column = -1; ///< to sort by; -1 = the evaluation's order
    Qt::SortOrder order = Qt::AscendingOrder;
};

/// The indices of the rows to show. Numbers by value, texts as people do ("utt-9" before "utt-10");
/// what is not known comes last whichever way is sorted; equal ones stay in the evaluation's
/// order. Safe in any thread.
std::vector<int> shownUtterances(const UtteranceSet& set, const UtteranceQuery& query);

} // namespace earwright::ui
