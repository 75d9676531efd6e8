#pragma once

#include "app/cli/arguments.h"
#include "core/data/manifest.h"
#include "core/run/run_folder.h"

namespace earwright::cli {

/// Before hours of decoding, not after: an error where --out or --alignments cannot be written,
/// where they would write over what is read, a file of the run or each other, and where an option
/// needs transcripts that no utterance has.
Status checkOutputs(const Arguments& arguments, const std::vector<data::Utterance>& sounds,
    const run::RunFolder& run);

} // namespace earwright::cli
