#pragma once

#include "core/settings/search_context.h"
#include "core/settings/search_setting.h"

namespace earwright::settings {

/// Reads a speechbrain.decoders.scorer.ScorerBuilder into `setting`, whose limits are read.
void readScorers(SearchContext& context, const recipe::Node& builder, SearchSetting& setting);

/// The classes that it reads, its own the first.
std::vector<std::string> scorerClasses();

} // namespace earwright::settings
