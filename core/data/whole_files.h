#pragma once

#include "core/base/number.h"
#include "core/base/text.h"

#include <string>

namespace earwright::data {

/// What is wrong with an utterance that is a part of its recording, as a manifest writes `start`
/// and `stop`; "" of one that is not, or does not say. Whether a stop is the recording's own end
/// only its audio tells, which is not opened here.
inline std::string whyNoWholeFile(const std::string& start, const std::string& stop)
{
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
