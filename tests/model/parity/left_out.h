#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

/// Results of a case that its runner has not read: tensors and, by JSON pointer, what upstream
/// found. Without those that left_out.cpp leaves out by name, each with its reason.
std::vector<std::string> unreadResults(const Case& test);

} // namespace earwright::tests
