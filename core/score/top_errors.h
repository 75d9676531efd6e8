#pragma once

#include "core/score/error_rate.h"

#include <string>
#include <utility>
#include <vector>

namespace earwright::score {

/// speechbrain.utils.edit_distance.wer_details_by_speaker, with the highest rate first; of equal
/// ones who spoke first. `speakers`: of each utterance its own.
std::vector<std::pair<std::string, ErrorRate>> bySpeaker(
    const std::vector<Scored>& scored, const std::vector<std::string>& speakers);

/// Utterances with the highest rates, the highest first: those with output, and those without.
struct TopErrors {
    std::vector<const Scored*> heard;
    std::vector<const Scored*> silent;
};

/// speechbrain.utils.edit_distance.top_wer_utts: at most so many of each. `scored` outlives it.
TopErrors topErrors(const std::vector<Scored>& scored, size_t most);

/// What SpeechBrain's compute_wer.py prints for --print-top-wer and --utt2spk; of the speakers
/// those that have a name, at most so many.
std::string topErrorText(
    const std::vector<Scored>& scored, const std::vector<std::string>& speakers, size_t most);

} // namespace earwright::score
