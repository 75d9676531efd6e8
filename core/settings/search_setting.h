#pragma once

#include "core/catalog/search_options.h"
#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::settings {

/// A `valid_search` or `test_search` of a joint model: speechbrain.decoders'
/// S2STransformerGreedySearcher or S2STransformerBeamSearcher, whose ScorerBuilder may hold a
/// CTCScorer and a LengthScorer.
struct SearchSetting {
    bool isGreedy = false;
    catalog::S2SBeamOptions options; ///< of a greedy search, the limits alone
};

/// The classes that readSearch() reads, as the catalogue names them.
std::vector<std::string> searchClasses();

/// Reads one, an entry of the resolved recipe. What cannot be run as it is written is added
/// to `found`, at its place: another class, a scorer that is not known, layers that are not the
/// task's, weights without their scorers, options that do not go together (errors of the rule
/// "search"), and arguments that cannot be read. They are what `earwright check` says and what the
/// trainer refuses by; the setting is not to be used then. What does not resolve is left to others.
SearchSetting readSearch(
    const recipe::Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found);

} // namespace earwright::settings
