#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

/// Adds a row for each stored case that is not among openCases() to the data of a Qt test, with its
/// name in the column "name".
void addCaseRows();

/// Runs the case on parityDevice() by its runner, and adds what the runner leaves unread. Throws as
/// readCase() and the runner do.
void runCase(const std::string& name, Comparison& compare);

} // namespace earwright::tests
