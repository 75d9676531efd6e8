#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"

#include <string>
#include <vector>

namespace earwright::cli {

using Utterances = std::vector<data::Utterance>;

/// What `earwright transcribe` listens to: all that manifests list, sounds by themselves under
/// their names, those of folders and of the folders in them (not of hidden ones; linked ones too)
/// in the order of their paths. `line` is 0 where there is no transcript: of a sound by itself, of
/// a CSV without the column wrd (which, as duration, is no must here). Errors name the file: not
/// there, neither file nor folder, a folder without a sound, a list that is no manifest or is
/// packed, a manifest that is named twice, as data::readSounds().
Result<std::vector<data::Utterance>> soundsOf(
    const std::vector<std::string>& names, const std::string& dataRoot);

/// Opens every sound's header: durations that no manifest says, or one says by a tenth wrong or on
/// the other side of `maxSeconds`, become known (what cannot be read is told later, by its name).
/// One line where sounds are resampled or averaged to one channel, else "". `maxSeconds`: what is
/// longer is cut into segments.
std::string lookAtSounds(std::vector<data::Utterance>& sounds, int sampleRateHz, double maxSeconds);

} // namespace earwright::cli
