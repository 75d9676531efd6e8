#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace earwright::data {

/// What a feature is moved and then scaled by; as many of both.
struct Cmvn {
    std::vector<float> shifts;
    std::vector<float> scales;
};

/// AddShift and Rescale of a Kaldi network text such as FunASR's am.mvn. Errors name the file: none
/// that can be read, no numbers, another number of shifts than of scales, fewer than `features`.
Result<Cmvn> readCmvn(const std::filesystem::path& file, int64_t features);

} // namespace earwright::data
