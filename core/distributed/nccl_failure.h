#pragma once

#include <string>

namespace earwright::distributed {

/// What c10d says of a failure of NCCL, as one line: "NCCL failed in all-reduce 12:
/// ncclRemoteError: A call failed …; connection closed by peer". Its own words have source files,
/// advice and a stack in their middle. Where no collective is named, it is not known. Other causes
/// stay as they are. Source: ProcessGroupNCCL.cpp and NCCLUtils.cpp of LibTorch 2.11.
std::string ncclFailure(const std::string& cause);

} // namespace earwright::distributed
