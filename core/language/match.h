#pragma once

#include <optional>
#include <string_view>

namespace earwright::language {

/// How well what was typed fits a name: smaller is better, none where it does not. The name begins
/// with it, a part of the name does ("Lin" in "nnet.LiGRU.Linear", "mels" in "n_mels"), or its
/// characters occur in that order. Case counts only among equals.
std::optional<int> matchRank(std::string_view name, std::string_view typed);

} // namespace earwright::language
