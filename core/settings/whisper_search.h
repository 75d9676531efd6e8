#pragma once

#include "core/settings/hub_source.h"
#include "core/settings/search_context.h"
#include "core/settings/search_setting.h"

namespace earwright::settings {

inline constexpr std::string_view kWhisperGreedy
    = "speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher";
inline constexpr std::string_view kWhisperBeams
    = "speechbrain.decoders.seq2seq.S2SWhisperBeamSearcher";

inline bool isWhisperSearch(std::string_view className)
{
    return className == kWhisperGreedy || className == kWhisperBeams;
}

/// Reads one of the two into `setting`, whose member isGreedy says which.
void readWhisperSearch(SearchContext& context, const recipe::Node& search, SearchSetting& setting);

} // namespace earwright::settings
