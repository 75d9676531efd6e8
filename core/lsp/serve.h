#pragma once

#include "core/check/machine.h"

#include <istream>
#include <ostream>

namespace kymo::lsp {

/// Serves one client until it says `exit` or the input ends. Checks run on a thread of their own,
/// the latest version of a text first; requests are answered while one runs. Returns the process's
/// exit code: 0 after `shutdown` and `exit`, else 1.
int serveLsp(std::istream& in, std::ostream& out, const check::Machine& machine);

} // namespace kymo::lsp
