#pragma once

#include "core/train/recogniser.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace earwright::cli {

// What `earwright transcribe` prints of an utterance.

/// Each a line: "ID<tab>text", "ID<tab>place<tab>score<tab>text" or
/// "ID<tab>begin<tab>end<tab>text", in seconds.
enum class TextLines { Texts, Hypotheses, Segments };
/// "" where there is no text.
std::string asText(const data::Utterance& utterance, const train::Heard& heard, TextLines lines);
/// {id, wav, text, reference, segments, hypotheses}; segments of a sound that was heard in parts,
/// of each where the lines are segments; hypotheses with scores and frames where there was a search
/// that gives them; {id, wav, error} where there is no text.
nlohmann::ordered_json asJson(
    const data::Utterance& utterance, const train::Heard& heard, TextLines lines, bool isSearch);

} // namespace earwright::cli
