#pragma once

#include <string>

namespace earwright::engine {

/// What an error of CUDA or NCCL means and what to do, where its own words do not say so, with
/// those words; else those words alone. Of theirs one line, without advice to programmers.
/// `isLost`: the driver says that the GPU does not answer any more.
std::string deviceFailure(const std::string& told, bool isLost);

} // namespace earwright::engine
