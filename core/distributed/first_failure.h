#pragma once

#include "core/distributed/failure.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace earwright::distributed {

/// What went wrong first in a run, as its store has it. A value that is no failure counts as none:
/// it ends no run, and the first failure takes its place.
std::optional<Failure> firstFailure(c10d::Store& store);

/// Puts a failure into the store unless there is one; the first.
Failure keepFirst(c10d::Store& store, const Failure& failure);

} // namespace earwright::distributed
