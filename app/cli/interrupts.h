#pragma once

namespace kymo::cli {

/// From now on Ctrl-C and SIGTERM are counted and end nothing by themselves.
void catchInterrupts();

/// How many came since then.
int interruptCount();

} // namespace kymo::cli
