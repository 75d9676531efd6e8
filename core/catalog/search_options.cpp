#include "core/catalog/search_options.h"

namespace earwright::catalog {

std::optional<SearchMisfit> whatDoesNotFit(const S2SBeamOptions& options)
{
    if (options.beamSize < 1 || options.topk < 1 || options.topk > options.beamSize)
        return SearchMisfit { "topk",
            "topk " + std::to_string(options.topk) + " needs a beam_size of as many at least, not "
                + std::to_string(options.beamSize) };
    if (options.ctcWeight < 0 || options.ctcWeight > 1)
        return SearchMisfit { "ctc", "the weight of CTC must be between 0 and 1" };
    if (options.lengthNormalization && options.lengthWeight > 0)
        return SearchMisfit { "length",
            "length_normalization and a weight for length do not go together: set one of them to "
            "0" };
    if (options.ctcWeight == 0)
        return std::nullopt;
    const bool isEos = options.eosIndex == options.bosIndex;
    if (isEos || options.bosIndex == options.blankIndex || options.eosIndex == options.blankIndex)
        return SearchMisfit { isEos ? "eos_index" : "blank_index",
            "with CTC, blank_index, bos_index and eos_index must be three different ones" };
    if (options.ctcWeight == 1 && options.isCtcPartial)
        return SearchMisfit { "partial_scorers",
            "CTC alone (weight 1) must score the whole vocabulary" };
    if (options.ctcWeight == 1 && options.coverageWeight != 0)
        return SearchMisfit { "coverage",
            "with CTC alone (weight 1), coverage has no attention to look at: set its weight to "
            "0" };
    return std::nullopt;
}

} // namespace earwright::catalog
