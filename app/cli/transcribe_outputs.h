#pragma once

#include "app/cli/arguments.h"
#include "core/data/manifest.h"

namespace kymo::cli {

/// Before hours of decoding, not after: an error where --out or --alignments cannot be written,
/// where they would write over what is read or over each other, and where an option needs
/// transcripts that no utterance has.
Status checkOutputs(const Arguments& arguments, const std::vector<data::Utterance>& sounds);

} // namespace kymo::cli
