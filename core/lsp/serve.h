#pragma once

#include "core/check/check.h"

#include <istream>
#include <ostream>

namespace earwright::lsp {

/// Serves one client until it says `exit` or the input ends. Checks run on a thread of their own,
/// the latest version of a text first; requests are answered while one runs. Returns the process's
/// exit code: 0 after `shutdown` and `exit`, else 1. `tokenRule`: data::checkTokens where the
/// program links it.
int serveLsp(std::istream& in, std::ostream& out, const check::Machine& machine,
    check::FileRule tokenRule = nullptr);

} // namespace earwright::lsp
