#pragma once

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/sound_part.h"

#include <string>

namespace earwright::data {

/// Why a reader of whole files cannot take this utterance; "" where it can. Whether a stop is the
/// recording's own end only its audio tells, which is not opened here.
inline std::string whyNoWholeFile(const PlaceTexts& places)
{
    const bool isTimed = !places.beginSeconds.empty() || !places.endSeconds.empty();
    const std::string& start = isTimed ? places.beginSeconds : places.start;
    const std::string& stop = isTimed ? places.endSeconds : places.stop;
    const auto numberIn
        = [](const std::string& text) { return parseNumber<double>(trim(text)).value_or(0); };
    const bool beginsWithin = numberIn(start) != 0;
    if (!beginsWithin && !(numberIn(stop) > 0))
        return {};
    return (beginsWithin ? "starts at " + start : "stops at " + stop)
        + " of its recording: only whole files are read; 'earwright prepare csv' or json cuts such "
          "parts out";
}

} // namespace earwright::data
