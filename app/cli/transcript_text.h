#pragma once

#include "core/decode/error_rate.h"
#include "core/train/recogniser.h"

#include <string>
#include <vector>

namespace kymo::cli {

// What `kymo transcribe` prints. `heard` has an entry for each utterance.

/// "ID<tab>text" a line; as a list "ID<tab>place<tab>score<tab>text" for each hypothesis.
std::string asText(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, bool isList);
/// An array of {id, wav, text, reference, hypotheses}; hypotheses with scores and frames where
/// there was a search.
std::string asJson(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, bool isSearch);

bool hasText(const data::Utterance& utterance); ///< has a transcript to be compared with

using Tokenise = std::vector<std::string> (*)(const std::string&);
/// Of those with a transcript.
std::vector<decode::Scored> scoresOf(const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, Tokenise tokenise);
/// "%WER 12.50 [ … ]; 95 % interval 10.20 to 14.90" and a line end.
std::string rateText(const std::vector<decode::Scored>& scored);
/// "hotwords: recall …, precision …, F1 …" and a line end.
std::string hotwordText(const std::vector<std::string>& phrases,
    const std::vector<data::Utterance>& utterances, const std::vector<train::Heard>& heard);

} // namespace kymo::cli
