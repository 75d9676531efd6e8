#pragma once

#include "ui/utterances/utterance_set.h"

#include <vector>

namespace earwright::ui {

class FigureTable;
class UtteranceModel;

/// Shows the model in the table: sorted by a click on a header, its columns no wider than what they
/// hold needs. GUI thread only.
void setUpUtteranceTable(FigureTable& table, UtteranceModel& model);

/// The columns of which nothing is known in any row. null = no utterances.
std::vector<int> unknownColumns(const UtteranceSetPtr& set);
/// Hides these and shows the others. GUI thread only.
void showKnownColumns(FigureTable& table, const UtteranceSetPtr& set);

} // namespace earwright::ui
