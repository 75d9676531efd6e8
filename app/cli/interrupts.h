#pragma once

namespace kymo::cli {

/// From now on Ctrl-C and SIGTERM are counted and end nothing by themselves.
void catchInterrupts();

/// From now on Ctrl-C and SIGTERM end the program with 130, its temporary folders removed. Called
/// before other threads are there: they must not take the signals themselves.
void endOnInterrupt();

/// How many came since then.
int interruptCount();

} // namespace kymo::cli
