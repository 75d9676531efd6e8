#pragma once

#include "core/base/number.h"
#include "core/base/text.h"

#include <string>

namespace kymo::data {

/// What is wrong with an utterance that begins within its recording, as a manifest writes `start`;
/// "" of one that does not, or does not say.
inline std::string whyNoWholeFile(const std::string& start)
{
    if (parseNumber<double>(trim(start)).value_or(0) == 0)
        return {};
    return "starts at " + start
        + " of its recording: only whole files are read; 'kymo prepare csv' or json cuts such "
          "parts out";
}

} // namespace kymo::data
