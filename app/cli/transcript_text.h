#pragma once

#include "core/train/recogniser.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace earwright::cli {

// What `earwright transcribe` prints of an utterance.

/// "ID<tab>text" and a line end; as a list "ID<tab>place<tab>score<tab>text" for each hypothesis;
/// "" where there is no text.
std::string asText(const data::Utterance& utterance, const train::Heard& heard, bool isList);
/// {id, wav, text, reference, segments, hypotheses}; segments of a sound that was cut, hypotheses
/// with scores and frames where there was a search; {id, wav, error} where there is no text.
nlohmann::ordered_json asJson(
    const data::Utterance& utterance, const train::Heard& heard, bool isSearch);

} // namespace earwright::cli
